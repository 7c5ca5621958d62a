import { createClient, DAY, deskIds as ids, LONG_TEXT, type Send } from './desk-client.ts'
import { createKeyManager, createLimitedModerator } from './desk-staff.ts'
import { joinBytes } from './evidence-samples.ts'
import { drawEvening } from './png.ts'
import type { ScreenContext } from './screen-states.ts'

const LEAD = 'mallow'

/** The name of the file that a player has sent with an appeal. */
export const APPEAL_FILE = `${'chat-at-home-'.repeat(8)}.log`

/** A path with the ids of the desk in place of their names: `/w/$workspace/appeals/$appeal`. For states, once it exists. */
export const deskPath = (path: string) => (): string =>
  `/w/$workspace${path}`.replace(/\$(\w+)/g, (_, name: string) => {
    const id = ids[name]
    if (id === undefined) throw new Error(`the desk has no ${name}`)
    return id
  })

/** The codes of bans of the desk, which players enter on the page for appeals. */
export const appealCodes: Record<string, string> = {}

/** Reports of a game that the owner is to look at. */
async function createReports({ server, owner }: ScreenContext, send: Send, lead: string): Promise<void> {
  const permissions = 'moderation.view,moderation.note'
  const { secret } = await send('POST', '/portal/api/api-keys', { name: 'Game server', permissions })
  const report = async (name: string, body: object) => {
    const note = { workspaceId: ids.workspace, action: 'note', ...body }
    const response = await server.requestWithKey(secret, '/api/moderation', note)
    ids[name] = (response.body as { record: { id: string } }).record.id
  }
  await report('report', {
    userId: '1566',
    userUsername: 'QuietOwl',
    reason: 'Reported by 3 players: flies, and walks through the wall of the vault',
  })
  await report('reportOfStar', { userId: '4416', userUsername: 'نجمة الليل', reason: LONG_TEXT })
  const query = new URLSearchParams({ workspaceId: ids.workspace ?? '', q: owner.username })
  const { body } = await server.requestOk('GET', `/portal/api/assignees?${query}`, owner)
  const { accountId } = body.members[0]
  for (const recordId of [ids.report, ids.reportOfStar])
    await send('POST', '/portal/api/assignments', { recordId, accountId }, lead)
  for (const value of [
    `@${owner.username} is this the same wall as last month?`,
    `@${owner.username} ${LONG_TEXT}`,
  ])
    await send('POST', '/api/moderation', { action: 'comment', id: ids.report, value }, lead)
}

/** Bans of the lead and of the owner, some of them appealed. */
async function createAppeals(send: Send, lead: string): Promise<void> {
  await send('PATCH', '/portal/api/appeals/settings', {
    introduction: 'Be honest and polite. We answer within three days.',
    questions: 'Why were you banned?\nWho else can use your account? (optional)',
    cooldownDays: '0',
    allowFiles: 'true',
  })
  const ban = async (name: string, body: object, session?: string) => {
    const { record } = await send('POST', '/api/moderation', { action: 'ban', ...body }, session)
    ids[name] = record.id
    appealCodes[name] = record.appealCode
  }
  const submit = async (name: string, message: string) => {
    const answers = ['They said that I cheated.', LONG_TEXT]
    const body = { code: appealCodes[name], message, answers }
    return (await send('POST', '/api/appeals', body)).appeal.id as string
  }
  const month = String(30 * DAY)
  const owl = { userId: '1566', userUsername: 'QuietOwl' }
  await ban('ban', { ...owl, reason: 'Exploiting: flies', durationSeconds: month }, lead)
  await ban('newBan', { userId: '733', userUsername: 'Pepper', reason: LONG_TEXT }, lead)
  await ban('ownBan', { userId: '90210', userUsername: 'W'.repeat(50), reason: 'Selling accounts' })
  await ban('deniedBan', { userId: '2617', userUsername: 'StormRiderr', reason: 'Insults' }, lead)

  const denied = await submit('deniedBan', 'Let me in.')
  const denial = { id: denied, decision: 'denied', message: 'You have insulted seven people.' }
  await send('POST', '/portal/api/appeals/decide', denial)
  ids.deniedAppeal = await submit('deniedBan', 'I am sorry, and have written to all seven.')
  const refusal = { id: ids.deniedAppeal, decision: 'denied', final: 'true', message: 'They disagree.' }
  await send('POST', '/portal/api/appeals/decide', refusal)
  ids.ownAppeal = await submit('ownBan', LONG_TEXT)
  ids.appeal = await submit('ban', LONG_TEXT)
  await send('POST', '/portal/api/appeals/claim', { id: ids.appeal })
  const write = (text: string, internal: string) =>
    send('POST', '/portal/api/appeals/message', { id: ids.appeal, text, internal })
  await write('The clip shows the same shoes.', 'true')
  await write('Which computer was it?', 'false')
  await send('POST', '/api/appeals', { action: 'reply', code: appealCodes.ban, message: 'The one at home.' })
  const data = Buffer.from('19:20 It was my brother\n').toString('base64')
  await send('POST', '/api/appeals/files', { code: appealCodes.ban, name: APPEAL_FILE, data })
}

/** What staff know about a player. */
async function createFacts(send: Send, lead: string): Promise<void> {
  const pin = (body: object, session?: string) => send('POST', '/portal/api/pinned-notes', body, session)
  await pin({
    userId: '1566',
    text: 'Talk to mallow before you ban: there is a long thread about this player.',
  })
  await pin({ recordId: ids.report }, lead)
  const link = (body: object) => send('POST', '/api/moderation/links', { userId: '1566', ...body })
  await link({ linkedUserId: '90210', confidence: 'high', reason: 'Same voice, and never online together' })
  await link({ linkedUserId: `steam:76561197960287930`, confidence: 'low', reason: LONG_TEXT })
}

/** A picture and a log of a case. */
async function attachFiles({ server, owner: { session } }: ScreenContext): Promise<void> {
  const files = [
    ['wall-of-the-vault.png', drawEvening(480, 270)],
    [`${'server-4-'.repeat(20)}.log`, joinBytes('19:20 261 walked through the wall\n')],
  ] as const
  for (const [name, bytes] of files) {
    const query = new URLSearchParams({ workspaceId: ids.workspace ?? '', id: ids.ban ?? '', name })
    const response = await fetch(`${server.origin}/portal/api/moderation/evidence-files?${query}`, {
      method: 'POST',
      headers: { cookie: `reeve_session=${session}`, 'sec-fetch-site': 'same-origin' },
      body: new Uint8Array(bytes),
    })
    if (response.status !== 200) throw new Error(`${name} was not attached: ${await response.text()}`)
  }
}

/** A batch that succeeds, one that is partly refused, and the check of a file to import. */
async function createBulkWork(send: Send): Promise<void> {
  const request = {
    action: 'warn',
    userIds: '901,902,903,904',
    reason: 'Took part in the raid of the harbour',
  }
  ids.batch = (await send('POST', '/api/moderation/batches', request)).batch.id
  await send('POST', '/api/moderation', { action: 'ban', userId: '905', reason: 'Raid of the harbour' })
  const lift = { action: 'unban', userIds: '905,906,907', reason: 'They were not there' }
  ids.partialBatch = (await send('POST', '/api/moderation/batches', lift)).batch.id
  const bytes = Buffer.from(await Bun.file(`${import.meta.dir}/../import/bans.csv`).arrayBuffer())
  const columns = JSON.stringify({ userId: 'player', occurredAt: 'when', reason: 'why', expiresAt: 'until' })
  const file = {
    format: 'csv',
    fileName: 'bans.csv',
    sizeBytes: String(bytes.length),
    dryRun: 'true',
    columns,
  }
  const begun = await send('POST', '/portal/api/imports', file)
  await send('POST', '/portal/api/imports/part', {
    id: begun.import.id,
    part: '0',
    data: bytes.toString('base64'),
  })
}

const prepared = new WeakMap<object, Promise<void>>()

/** A workspace in which everything that staff do beyond single actions is going on, created once per server. */
export function prepareDesk(context: ScreenContext): Promise<void> {
  const existing = prepared.get(context.server) ?? createDesk(context)
  prepared.set(context.server, existing)
  return existing
}

async function createDesk(context: ScreenContext): Promise<void> {
  const { server, owner } = context
  const groupName = 'Harbour Town'
  const { body } = await server.requestOk('POST', '/api/workspaces', {
    session: owner.session,
    body: { groupName },
  })
  ids.workspace = body.workspace.id
  const send = createClient(context, body.workspace.id)
  const lead = await server.createMember({ workspaceId: body.workspace.id, session: owner.session }, LEAD, [
    'moderation.view',
    'moderation.note',
    'moderation.ban',
    'members.view',
  ])
  await createReports(context, send, lead)
  await createAppeals(send, lead)
  await createFacts(send, lead)
  await attachFiles(context)
  await createBulkWork(send)
  await createLimitedModerator(context, send)
  await createKeyManager(context, send)
}

/** The session of a member of the desk for whom nothing waits. */
export const getDeskLead = ({ server }: ScreenContext): Promise<string> => server.session(LEAD)

/** Claims the report for the other member, for 15 minutes. */
export const claimReport = async (context: ScreenContext): Promise<void> =>
  createClient(context, ids.workspace ?? '')(
    'POST',
    '/portal/api/claims',
    { recordId: ids.report },
    await getDeskLead(context),
  )
