import { afterEach, beforeEach, expect, test } from 'bun:test'
import { join } from 'node:path'
import { PASSWORD } from '../support/instance.ts'
import { type RunningServer, startServer } from '../support/program.ts'
import { type BackupFixture, openBackupFixture } from './backups.ts'
import { request, signIn } from './replicas.ts'

/** Each test starts the program many times. */
const TIMEOUT_MS = 60_000

interface CreatedKey {
  readonly keyId: string
  readonly apiKey: string
}

let fixture: BackupFixture
let workspaceId: string
beforeEach(async () => {
  fixture = await openBackupFixture()
  const { workspaces } = await runJson('workspace', 'list')
  workspaceId = workspaces[0].id
})
afterEach(() => fixture.folder.remove())

/** Runs a command in a data folder and returns its output. */
async function runJsonIn(dataDir: string, ...args: string[]) {
  const { exitCode, out, err } = await fixture.run([...args, '--json'], {}, dataDir)
  expect({ args, exitCode, err }).toEqual({ args, exitCode: 0, err: '' })
  return JSON.parse(out)
}
const runJson = (...args: string[]) => runJsonIn(fixture.folder.data, ...args)
const inWorkspace = () => ['--workspace', workspaceId]
const createKey = (name: string): Promise<CreatedKey> =>
  runJson('key', 'create', ...inWorkspace(), '--name', name, '--permissions', 'all')

const listDepartments = (server: RunningServer, key: string) =>
  request(server, 'GET', `/api/departments?workspaceId=${workspaceId}`, { key })
const readAsOwner = (server: RunningServer, cookie: string, path: string) =>
  request(server, 'GET', `${path}?workspaceId=${workspaceId}`, { headers: { cookie } })

async function findKeysFinding(dataDir = fixture.folder.data) {
  const { findings } = await runJsonIn(dataDir, 'doctor')
  return findings.find(({ check }: { check: string }) => check === 'restore')
}

test(
  'a restore ends all sessions, revokes again what was revoked since, and lets other keys work until they are confirmed',
  async () => {
    const [used, revoked] = [await createKey('game server'), await createKey('dismissed')]
    let server = await startServer({ dataDir: fixture.folder.data })
    const { cookie } = await signIn(server, PASSWORD)
    await server.stop()
    const { file } = await fixture.createBackup()
    expect(await findKeysFinding()).toMatchObject({ verdict: 'ok' })
    await runJson('key', 'revoke', ...inWorkspace(), '--id', revoked.keyId)

    // The fixture has created a key as well.
    const { access } = await runJson('restore', '--from', file)
    expect(access).toEqual({ sessions: 1, invitations: 0, revokedKeys: 1, keysToConfirm: 2 })
    const { apiKeys } = await runJson('key', 'list', ...inWorkspace())
    const statusOf = ({ keyId }: CreatedKey) => {
      const { status, restoredAt } = apiKeys.find(({ id }: { id: string }) => id === keyId)
      return [status, restoredAt !== null]
    }
    expect([statusOf(used), statusOf(revoked)]).toEqual([
      ['live', true],
      ['revoked', false],
    ])
    const finding = await findKeysFinding()
    expect(finding.verdict).toBe('warning')
    expect(finding.found).toContain(`game server (${used.keyId} of workspace ${workspaceId})`)
    expect(finding.found).not.toContain('dismissed')

    server = await startServer({ dataDir: fixture.folder.data })
    expect((await readAsOwner(server, cookie, '/portal/api/overview')).status).toBe(401)
    expect((await listDepartments(server, used.apiKey)).status).toBe(200)
    const rejected = await listDepartments(server, revoked.apiKey)
    expect([rejected.status, rejected.body.reason]).toEqual([401, 'key_revoked'])
    const again = await signIn(server, PASSWORD)
    expect((await readAsOwner(server, again.cookie, '/portal/api/overview')).body.keysToConfirm).toBe('2')

    const confirm = (id: string) =>
      request(server, 'POST', '/portal/api/api-keys/confirm', {
        headers: { cookie: again.cookie, 'sec-fetch-site': 'same-origin' },
        body: { workspaceId, id },
      })
    expect((await confirm(revoked.keyId)).status).toBe(409)
    const confirmed = await confirm(used.keyId)
    expect([confirmed.status, confirmed.body.apiKey.restoredAt]).toEqual([200, null])
    expect((await listDepartments(server, used.apiKey)).status).toBe(200)
    const audit = await readAsOwner(server, again.cookie, '/portal/api/audit')
    expect(audit.body.entries[0]).toMatchObject({ action: 'api_keys.confirm' })
    const other = apiKeys.find(({ id }: { id: string }) => ![used.keyId, revoked.keyId].includes(id))
    expect(await runJson('key', 'confirm', ...inWorkspace(), '--id', other.id)).toEqual({ keyId: other.id })
    expect((await readAsOwner(server, again.cookie, '/portal/api/overview')).body.keysToConfirm).toBe('0')
    expect(await server.stop()).toBe(0)
    expect(await findKeysFinding()).toMatchObject({ verdict: 'ok' })
  },
  TIMEOUT_MS,
)

test(
  'without the replaced database, a key that was revoked since works, and waits for confirmation or revocation',
  async () => {
    const key = await createKey('dismissed')
    const { file } = await fixture.createBackup()
    await runJson('key', 'revoke', ...inWorkspace(), '--id', key.keyId)
    const fresh = join(fixture.folder.path, 'fresh')
    const { access } = await runJsonIn(fresh, 'restore', '--from', file, '--create')
    expect(access).toEqual({ sessions: 0, invitations: 0, revokedKeys: 0, keysToConfirm: 2 })
    expect((await findKeysFinding(fresh)).found).toContain('dismissed')
    await runJsonIn(fresh, 'key', 'revoke', ...inWorkspace(), '--id', key.keyId)
    expect((await findKeysFinding(fresh)).found).not.toContain('dismissed')
  },
  TIMEOUT_MS,
)

test(
  'a link that was withdrawn after the backup stays unusable, also where the replaced database is not known',
  async () => {
    let server = await startServer({ dataDir: fixture.folder.data })
    const { cookie } = await signIn(server, PASSWORD)
    const headers = { cookie, 'sec-fetch-site': 'same-origin' }
    const path = '/portal/api/invitations'
    const created = await request(server, 'POST', path, { headers, body: { workspaceId } })
    const { file } = await fixture.createBackup()
    const query = `workspaceId=${workspaceId}&id=${created.body.invitation.id}`
    const withdrawn = await request(server, 'DELETE', `${path}?${query}`, { headers })
    expect([created.status, withdrawn.status]).toEqual([200, 200])
    expect(await server.stop()).toBe(0)

    const fresh = join(fixture.folder.path, 'fresh')
    for (const dataDir of [fixture.folder.data, fresh]) {
      const args = dataDir === fresh ? ['--create'] : []
      const { access } = await runJsonIn(dataDir, 'restore', '--from', file, ...args)
      expect(access).toMatchObject({ invitations: 1 })
      server = await startServer({ dataDir })
      const joined = await request(server, 'POST', '/portal/api/invitation/sign-up', {
        headers: { 'sec-fetch-site': 'same-origin' },
        body: { token: created.body.token, username: 'mallory', password: PASSWORD },
      })
      expect(joined.status).toBe(404)
      expect(await server.stop()).toBe(0)
    }
  },
  TIMEOUT_MS,
)

test(
  'a drill reports nothing about keys, and changes neither the backup nor the instance',
  async () => {
    const { file } = await fixture.createBackup()
    const { findings } = await runJson('backup', 'verify', '--from', file)
    expect(findings.filter(({ check }: { check: string }) => check === 'restore')).toEqual([])
    expect(await findKeysFinding()).toMatchObject({ verdict: 'ok' })
  },
  TIMEOUT_MS,
)
