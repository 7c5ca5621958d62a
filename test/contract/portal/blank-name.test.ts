import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { createJobLease } from '@reeve/api/jobs/lease'
import { createNameBlankingJob } from '@reeve/api/jobs/name-blanking'
import { runJob } from '@reeve/api/jobs/scheduler'
import { rotateSecretKey } from '@reeve/api/secret-key/check-value'
import { blankNextRows, exportChain, rekeyAudit, verifyAudit, verifyExport } from '@reeve/audit'
import { anonymousActor, permissions } from '@reeve/core'
import { createKeyDeriver } from '@reeve/core/keys'
import { idLiteral } from '../../support/engine.ts'
import { type Instance, openInstance, UNKNOWN_ID } from '../../support/instance.ts'
import type { Workspace } from '../workspaces/fixture.ts'

setDefaultTimeout(60_000)

const NAME = 'Thistledown'
const PATH = '/portal/api/deleted-members'

let instance: Instance
let workspace: Workspace
let accountId: string
let recordId: string
beforeEach(async () => {
  instance = await openInstance()
  workspace = await instance.workspace()
  ;({ accountId, recordId } = await createDeletedAccount())
})
afterEach(async () => {
  expect(instance.unexpectedErrors).toEqual([])
  await instance.close()
})

const post = async (session: string, path: string, body: object) => {
  const response = await instance.request('POST', path, {
    session,
    body: { workspaceId: workspace.id, ...body },
  })
  if (response.status !== 200) throw new Error(`${path}: ${response.text}`)
  return response.body
}

/** An account that moderated, and was a member until it was deleted. */
async function createDeletedAccount() {
  const accountId = await instance.account(NAME)
  const { token } = await post(workspace.ownerSession, '/portal/api/invitations', {})
  let session = await instance.session(accountId)
  await instance.request('POST', '/portal/api/invitation/accept', { session, body: { token } })
  const roleId = await instance.role(workspace.id, permissions, 900)
  await instance.request('PATCH', '/portal/api/members', {
    session: workspace.ownerSession,
    body: { workspaceId: workspace.id, accountId, roleIds: roleId },
  })
  session = await instance.session(accountId)
  const moderate = (body: object) => post(session, '/api/moderation', body)
  const { record } = await moderate({ action: 'warn', userId: '7', userUsername: 'Player', reason: 'Spam' })
  await moderate({ action: 'comment', id: record.id, value: 'First' })
  await post(workspace.ownerSession, '/api/moderation', { action: 'comment', id: record.id, value: 'Second' })
  await moderate({ action: 'edit', id: record.id, reason: 'Spam again' })
  await moderate({ action: 'comment', id: record.id, value: 'Third' })
  const byOwner = { action: 'ban', userId: '8', reason: 'Spam' }
  await post(workspace.ownerSession, '/api/moderation', byOwner)
  await moderate({ action: 'unban', userId: '8', reason: 'Mistake' })
  const batches = '/api/moderation/batches'
  await moderate({ action: 'mute', userId: '8', reason: 'Spam' })
  const { batch } = await post(session, batches, { action: 'unmute', userIds: '8', reason: 'Mistake' })
  await post(workspace.ownerSession, batches, { action: 'reverse', id: batch.id, reason: 'No mistake' })
  await post(session, '/portal/api/api-keys', { name: 'Game', permissions: 'moderation.view' })
  await post(session, '/portal/api/endpoint-controls', { endpoint: 'events', mode: 'read_only' })
  await post(session, '/portal/api/invitations', {})
  await post(session, '/portal/api/account/delete', { workspaceId: undefined })
  return { accountId, recordId: record.id as string }
}

const owner = (method: string, path: string, body?: object) =>
  instance.request(method, path, { session: workspace.ownerSession, ...(body && { body }) })
const list = async () => (await owner('GET', `${PATH}?workspaceId=${workspace.id}`)).body.deletedMembers
const blank = (session = workspace.ownerSession, id = accountId) =>
  instance.request('POST', `${PATH}/blank-name`, {
    session,
    body: { workspaceId: workspace.id, accountId: id },
  })
const runBlankingJob = () => {
  instance.clock.advance(60_000)
  const { db, ports } = instance
  return runJob(createNameBlankingJob(db, ports), createJobLease(db, ports), AbortSignal.timeout(60_000))
}
const readRecord = async () =>
  (await owner('GET', `/api/moderation?workspaceId=${workspace.id}&id=${recordId}`)).body
const verify = async () => (await verifyAudit(instance.db.read, instance.ports)).faults
const tables = ['audit', 'record', 'record_version', 'activity_by_actor'] as const
const countRowsWithName = async () => {
  const found: string[] = []
  for (const table of tables) {
    // The log of the instance says which account was deleted.
    const sql = `select * from "${table}" where workspace_id = ${idLiteral(workspace.id)}`
    if (JSON.stringify(await instance.storage.query(sql)).includes(NAME)) found.push(table)
  }
  return found
}

describe('the name of a deleted account', () => {
  test('is blanked everywhere in the history by the owner, and the audit log stays valid', async () => {
    const before = await readRecord()
    expect(await countRowsWithName()).toContain('record')
    expect(await list()).toMatchObject([{ accountId, username: NAME, nameState: 'kept' }])
    expect((await blank()).body.deletedMember).toMatchObject({ username: null, nameState: 'blanking' })
    expect((await blank()).status).toBe(409)
    await runBlankingJob()
    expect(await list()).toMatchObject([{ accountId, username: null, nameState: 'blanked' }])
    expect(await countRowsWithName()).toEqual([])
    const blanked = JSON.parse(
      JSON.stringify(before)
        .replaceAll(`"authorUsername":"${NAME}"`, '"authorUsername":""')
        .replaceAll(`"${NAME}"`, 'null'),
    )
    expect(await readRecord()).toEqual(blanked)
    const { body } = await owner('GET', `/portal/api/audit?workspaceId=${workspace.id}&limit=50`)
    expect(body.entries[0]).toMatchObject({ action: 'members.blank_name', targetId: accountId })
    expect(JSON.stringify(body)).not.toContain(NAME)
    expect(await verify()).toEqual([])
    const lines = exportChain(instance.db.read, instance.ports, workspace.id, 'now')
    expect((await verifyExport(instance.ports, lines)).rows).toBe(body.entries.length)
  })

  test('is blanked in the lists of API keys, endpoint controls, invitations and usage', async () => {
    const read = (path: string, query = '') =>
      owner('GET', `/portal/api/${path}?workspaceId=${workspace.id}${query}`)
    const readNames = async () => {
      const { apiKeys } = (await read('api-keys')).body
      const { controls } = (await read('endpoint-controls')).body
      const { invitations } = (await read('invitations')).body
      const { usage } = (await read('usage', '&by=actor')).body
      const key = apiKeys.find(({ name }: { name: string }) => name === 'Game')
      const control = controls.find(({ endpoint }: { endpoint: string }) => endpoint === 'events')
      const invitation = invitations.find(({ createdBy }: { createdBy: string }) => createdBy === accountId)
      const requests = usage.find(({ group }: { group: string }) => group === accountId)
      return {
        key: [key.createdByUsername, key.revokedByUsername],
        control: control.updatedByUsername,
        invitation: invitation.createdByUsername,
        requests: [requests.name, requests.kind],
      }
    }
    expect(await readNames()).toEqual({
      key: [NAME, null],
      control: NAME,
      invitation: NAME,
      requests: [NAME, 'account'],
    })
    await blank()
    await runBlankingJob()
    expect(await readNames()).toEqual({
      key: [null, null],
      control: null,
      invitation: null,
      requests: [null, null],
    })
    for (const path of ['api-keys', 'endpoint-controls', 'invitations'])
      expect((await read(path)).text).not.toContain(NAME)
    for (const path of ['usage', 'usage.csv']) {
      const { text } = await read(path, '&by=actor')
      expect(text).toContain(accountId)
      expect(text).not.toContain(NAME)
    }
  })

  test('is blanked only by the owner, and only if the account was deleted', async () => {
    const { session, accountId: present } = await instance.member(workspace.id, permissions, 900)
    expect((await blank(session)).body.reason).toBe('insufficient_rank')
    const statuses = [await blank(undefined, present), await blank(undefined, UNKNOWN_ID)].map(
      ({ status }) => status,
    )
    expect(statuses).toEqual([404, 404])
    await runBlankingJob()
    expect(await countRowsWithName()).toContain('record')
  })

  test('stays blanked when its records are redacted', async () => {
    await blank()
    await runBlankingJob()
    await post(workspace.ownerSession, '/api/moderation', {
      action: 'redact',
      id: recordId,
      reason: 'Asked for',
    })
    expect(await verify()).toEqual([])
  })
})

describe('the verification of the audit log finds', () => {
  const ofWorkspace = () => `workspace_id = ${idLiteral(workspace.id)}`
  /** Changes rows in the database. The account ends the transaction that reads share. */
  const edit = async (sql: string) => {
    await instance.storage.query(sql)
    await instance.account()
  }
  const someHash = () => `(select hash from audit where ${ofWorkspace()} order by sequence limit 1)`

  test('a name that was removed without an entry that explains it', async () => {
    await blank()
    await runBlankingJob()
    await edit(`delete from audit where action = 'members.blank_name'`)
    expect((await verify())[0]?.fault).toBe('rows at the end are missing')
  })

  test('a name that a program with the key has removed without that entry', async () => {
    const { db, ports } = instance
    const rows = { workspaceId: workspace.id, accountId, before: 100, blankJson: (json: string) => json }
    await db.write((tx) => blankNextRows(tx, ports, rows, 0))
    expect((await verify())[0]?.fault).toBe(
      'a name was removed from it, and no later entry says that it was blanked',
    )
    await blank()
    expect(await verify()).toEqual([])
  })

  test('changes in which such a program has blanked a name without that entry', async () => {
    const { db, ports } = instance
    const blankJson = (json: string) => json.replaceAll(`"${NAME}"`, 'null')
    const rows = { workspaceId: workspace.id, accountId: UNKNOWN_ID, before: 100, blankJson }
    await db.write((tx) => blankNextRows(tx, ports, rows, 0))
    expect((await verify())[0]?.fault).toBe(
      'a name was removed from it, and no later entry says that it was blanked',
    )
  })

  test('a name that was replaced by nothing in the database', async () => {
    await edit(`update audit set actor_name = '' where actor_name = '${NAME}' and ${ofWorkspace()}`)
    expect((await verify())[0]?.fault).toBe('the row was altered')
  })

  test('another name in place of a blanked one', async () => {
    await blank()
    await runBlankingJob()

    await edit(`update audit set actor_name = 'Robin' where actor_name = '' and ${ofWorkspace()}`)
    expect((await verify())[0]?.fault).toBe('the row was altered')
  })

  test('changes that were altered in a row in which a name was blanked', async () => {
    await blank()
    await runBlankingJob()
    await edit(
      `update audit set blanked_changes_hash = ${someHash()} where blanked_changes_hash is not null and ${ofWorkspace()}`,
    )
    expect((await verify())[0]?.fault).toBe('the row was altered')
  })
})

describe('a rotation of the secret key', () => {
  /** @returns the faults that a verification with the new key finds */
  async function rotate() {
    const ports = { ...instance.ports, deriveKey: createKeyDeriver(new Uint8Array(32).fill(7)) }
    await rotateSecretKey(instance.db, instance.ports, ports)
    expect(await rekeyAudit(instance.db, ports, anonymousActor)).toMatchObject({ isRotation: true })
    return (await verifyAudit(instance.db.read, ports)).faults.map(({ fault }) => fault)
  }

  test('proves blanked changes again, so that the log stays valid', async () => {
    await blank()
    await runBlankingJob()
    expect(await rotate()).toEqual([])
  })

  test('does not prove changes that were forged in a row in which a name was blanked', async () => {
    await blank()
    await runBlankingJob()
    const ofWorkspace = `workspace_id = ${idLiteral(workspace.id)}`
    // The row keeps the hash of the original changes, so only the proof tells that these are others.
    await instance.storage.query(
      `update audit set changes = (select other.changes from audit as other where other.changes is not null
         and other.changes_hash is null and other.${ofWorkspace} order by other.sequence limit 1)
       where blanked_changes_hash is not null and ${ofWorkspace}`,
    )
    await instance.account()
    expect(await rotate()).toContain('the row was altered')
  })
})
