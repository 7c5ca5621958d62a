import { insertAll, type PasskeyTable, statement } from '@reeve/db'
import { requestApproval } from '../support/approvals.ts'
import { uploadEvidence } from '../support/evidence-upload.ts'
import type { Instance } from '../support/instance.ts'
import type { Field } from './routes.ts'

/** A workspace with two of everything, and the ids of all of its rows by table. */
export type Tenant = Awaited<ReturnType<typeof createTenant>>

/** Tables with an `id` that no request can name, and why. */
const UNNAMED_TABLES: Readonly<Record<string, string>> = {
  appeal_message: 'messages, which only their appeal names',
  deleted_workspace: 'deleted workspaces, which only operators read',
  evidence_object: 'files in a bucket, which cleanup reads',
  mail: 'e-mails that wait to be sent, which no request reads',
  player_name: 'numbers of names, which only the search of the server uses',
  workspace_report: 'reports to the operators, which only they read',
  sign_in_attempt: 'failed attempts, which have no owner',
}

const insertPasskey = statement<PasskeyTable>()((sql, p) => insertAll(sql, 'passkey', p))

/** Stores a passkey, which only an authenticator could create over HTTP. */
const createPasskey = ({ db, ports }: Instance, accountId: string, name: string): Promise<unknown> =>
  db.write((tx) =>
    tx.run(insertPasskey, {
      account_id: accountId,
      id: ports.newId(),
      rp_id: 'localhost',
      credential_id: ports.newId(),
      public_key: new Uint8Array(32),
      counter: 0,
      transports: '[]',
      is_backed_up: 0,
      aaguid: '00000000-0000-0000-0000-000000000000',
      name,
      created_at: ports.now(),
      last_used_at: null,
      has_verified_user: 1,
    }),
  )

/** Two other workspaces invite the account of a session by its name. */
async function inviteToOthers(instance: Instance, session: string): Promise<void> {
  const { username } = (await instance.request('GET', '/portal/api/me', { session })).body.account
  for (const other of [await instance.workspace(), await instance.workspace()]) {
    const response = await instance.request('POST', '/portal/api/invitations', {
      session: other.ownerSession,
      body: { workspaceId: other.id, username },
    })
    if (response.status !== 200) throw new Error(`the invitation was not created: ${response.text}`)
  }
}

/** Two members whose accounts are deleted. @returns the ids of the accounts */
async function createDeletedMembers(instance: Instance, workspaceId: string): Promise<string[]> {
  const members = [
    await instance.member(workspaceId, ['usage.view']),
    await instance.member(workspaceId, ['usage.view']),
  ]
  for (const { session } of members) {
    const { status, text } = await instance.request('POST', '/portal/api/account/delete', {
      session,
      body: {},
    })
    if (status !== 200) throw new Error(`the account was not deleted: ${text}`)
  }
  return members.map(({ accountId }) => accountId).sort()
}

/** Has a member mention the owner, who cannot mention themselves. */
async function mentionOwner(
  instance: Instance,
  { id: workspaceId, ownerId }: Pick<Awaited<ReturnType<Instance['workspace']>>, 'id' | 'ownerId'>,
  id: string,
): Promise<void> {
  const { session } = await instance.member(workspaceId, ['moderation.view', 'moderation.note'])
  const body = { workspaceId, action: 'comment', id, value: `<@${ownerId}>` }
  const { status, text } = await instance.request('POST', '/api/moderation', { session, body })
  if (status !== 200) throw new Error(`the owner was not mentioned: ${text}`)
}

/** Creates a workspace that contains every kind of row. */
export async function createTenant(instance: Instance) {
  const workspace = await instance.workspace()
  const workspaceId = workspace.id
  const session = workspace.ownerSession
  const create = async (path: string, fields: Readonly<Record<string, unknown>>) => {
    const body = path === '/api/workspaces' ? fields : { workspaceId, ...fields }
    const response = await instance.request('POST', path, { session, body })
    if (response.status !== 200) throw new Error(`POST ${path}: ${response.text}`)
    return response.body
  }
  await instance.session(workspace.ownerId)
  const members = [
    await instance.member(workspaceId, ['usage.view']),
    await instance.member(workspaceId, ['usage.view']),
  ]
  await instance.key(workspaceId)
  const deletedMembers = await createDeletedMembers(instance, workspaceId)
  for (const number of ['1', '2']) {
    await createPasskey(instance, workspace.ownerId, `Passkey ${number}`)
    const { department } = await create('/api/departments', { name: `Department ${number}` })
    const accountIds = members[0]?.accountId
    await create('/portal/api/departments/members', { id: department.id, accountIds })
    const { department: former } = await create('/api/departments', { name: `Former ${number}` })
    await create('/api/departments', { action: 'delete', id: former.id })
    await create('/api/events', { title: `Event ${number}`, scheduledFor: `190000000000${number}` })
    const userId = `26${number}`
    const { record } = await create('/api/moderation', { action: 'ban', userId, reason: 'Spam' })
    await create('/api/moderation', { action: 'edit', id: record.id, reason: 'Spamming' })
    await uploadEvidence(
      instance,
      { session, workspaceId, id: record.id, name: 'chat.log' },
      `line ${number}`,
    )
    // One for a record that is still to be created.
    await uploadEvidence(instance, { session, workspaceId, name: 'chat.log' }, `another line ${number}`)
    await create('/api/appeals', { code: record.appealCode, message: 'It was my brother.' })
    await create('/api/moderation', {
      action: 'note',
      userId,
      userUsername: `Player ${number}`,
      reason: 'Seen',
    })
    await create('/api/moderation/batches', { action: 'warn', userIds: `28${number}`, reason: 'Spam' })
    const { ladder } = await create('/api/moderation/ladders', {
      name: `Ladder ${number}`,
      steps: '[{"count":"1","action":"warn"}]',
    })
    const { template } = await create('/api/moderation/templates', {
      name: `Template ${number}`,
      publicReason: 'Spam',
      ladderId: ladder.id,
    })
    await create('/api/moderation/templates', { action: 'update', id: template.id, appealable: 'false' })
    await create('/api/moderation', { userId, templateId: template.id })
    await create('/portal/api/pinned-notes', { userId, text: `Pinned ${number}` })
    await create('/api/moderation/links', {
      userId,
      linkedUserId: '260',
      confidence: 'low',
      reason: `Link ${number}`,
    })
    await create('/portal/api/claims', { recordId: record.id })
    await create('/portal/api/assignments', { recordId: record.id, accountId: workspace.ownerId })
    await mentionOwner(instance, workspace, record.id)
    await create('/portal/api/invitations', { note: `Invitation ${number}` })
    const { webhook } = await create('/api/webhooks', {
      name: `Webhook ${number}`,
      url: 'https://example.com/',
      events: 'ban.created',
    })
    for (const _ of ['first', 'second']) await create('/api/webhooks/test', { id: webhook.id })
    const unreadable = Buffer.from(`userId\n${number}1\n${number}2\n`)
    const begun = await create('/portal/api/imports', {
      format: 'csv',
      fileName: `${number}.csv`,
      sizeBytes: String(unreadable.length),
    })
    await create('/portal/api/imports/part', {
      id: begun.import.id,
      part: '0',
      data: unreadable.toString('base64'),
    })
    await instance.runImports()
    const erased = {
      userId: `25${number}`,
      confirmUserId: `25${number}`,
      mode: 'erase',
      reason: 'On request',
    }
    await create('/api/moderation/erasures', erased)
    await requestApproval(instance, workspaceId, `27${number}`)
    await create('/portal/api/saved-views', { list: 'bans', name: number, filters: 'status=active' })
    await create('/api/workspaces', { id: workspaceId, archive: 'true' })
    await create('/api/workspaces', { id: workspaceId, archive: 'false' })
  }
  await inviteToOthers(instance, session)
  await create('/api/workspaces', { groupName: `Second of ${workspaceId}` })
  const accountIds = [workspace.ownerId, ...members.map(({ accountId }) => accountId)]
  return {
    workspaceId,
    session,
    key: workspace.key,
    accountIds,
    ids: { ...(await listIds(instance, workspaceId, accountIds)), former_member: deletedMembers } as Ids,
  }
}

type Ids = Readonly<Record<string, readonly string[]>>

/** The ids of the rows of a tenant by table, oldest first: an id column of any table is found without being listed. */
async function listIds(
  { storage }: Instance,
  workspaceId: string,
  accountIds: readonly string[],
): Promise<Ids> {
  const columnsByTable = Map.groupBy(await storage.listColumns(), ({ table }) => table)
  const idsByTable: Record<string, readonly string[]> = {}
  for (const [table, listed] of columnsByTable) {
    const columns = new Set(listed.map(({ column }) => column))
    if (!columns.has('id') || table in UNNAMED_TABLES) continue
    const rows = await storage.query<Record<string, unknown>>(`select * from "${table}"`)
    const isOwn = (row: Record<string, unknown>): boolean => {
      if (accountIds.includes(String(row.invitee_id))) return true
      if (columns.has('workspace_id')) return row.workspace_id === workspaceId
      if (columns.has('account_id')) return accountIds.includes(String(row.account_id))
      return table === 'account' ? accountIds.includes(String(row.id)) : row.id === workspaceId
    }
    const ids = rows.filter(isOwn).map(({ id }) => String(id))
    if (ids.length === 0)
      throw new Error(
        `createTenant creates no row in ${table}: create one there, or list the table in UNNAMED_TABLES and say why`,
      )
    idsByTable[table] = ids.sort()
  }
  return idsByTable
}

/** The words of a field's description that name the table of its id. */
const TABLE_WORDS: Readonly<Record<string, RegExp>> = {
  account: /member|account/i,
  approval: /approval/i,
  api_key: /key/i,
  evidence_file: /file/i,
  former_member: /deleted account/i,
  record: /record|case/i,
  saved_view: /view/i,
  mention: /inbox/i,
  pinned_note: /pinned/i,
  player_link: /link/i,
  workspace_job: /job/i,
}

/** The ids of a tenant that a field may mean: the last and the first row of each table that its description names, if any. */
export function listCandidates({ ids, workspaceId }: Tenant, { name, description }: Field): string[] {
  if (name === 'workspaceId') return [workspaceId]
  const rows = Object.entries(ids)
  const named = rows.filter(([table]) => (TABLE_WORDS[table] ?? RegExp(table, 'i')).test(description))
  return (named.length > 0 ? named : rows).flatMap(([, [first = '', ...others]]) => [
    ...others.slice(-1),
    first,
  ])
}
