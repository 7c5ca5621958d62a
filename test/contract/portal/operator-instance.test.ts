import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { statfsSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expectAccessRules } from '../../support/access-rules.ts'
import { usePostgres } from '../../support/engine.ts'
import { dataUrl, imageBytes } from '../../support/images.ts'
import { type Instance, openInstance, type TestResponse } from '../../support/instance.ts'
import { quota, setArchived } from '../../support/workspace-states.ts'

let instance: Instance
let operator: string

beforeAll(async () => {
  instance = await openInstance()
  operator = await instance.session(await instance.account('Operator', true))
})
afterAll(() => instance.close())

const list = (query: Record<string, string> = {}): Promise<TestResponse> =>
  instance.request('GET', `/admin/api/workspaces?${new URLSearchParams(query)}`, { session: operator })
const readInstance = async () =>
  (await instance.request('GET', '/admin/api/instance', { session: operator })).body.instance
const ids = ({ body }: TestResponse) => body.workspaces.map(({ id }: { id: string }) => id)

describe('the list of workspaces', () => {
  test('shows the owner, size and usage of each workspace', async () => {
    const workspace = await instance.workspace('Night Shift')
    await instance.member(workspace.id, [])
    for (const userId of ['1', '2', '3']) {
      await instance.request('POST', '/api/moderation', {
        key: workspace.key,
        body: { workspaceId: workspace.id, action: 'note', userId, reason: 'x' },
      })
    }
    await instance.request('GET', `/api/departments?workspaceId=${workspace.id}`, { key: workspace.key })
    await quota(instance, workspace.id, 1000)
    const [listedWorkspace] = (await list({ q: 'night shift' })).body.workspaces
    expect(listedWorkspace).toEqual({
      id: workspace.id,
      groupName: 'Night Shift',
      ownerId: workspace.ownerId,
      owner: expect.stringMatching(/^account /),
      status: 'active',
      archivedAt: null,
      deleteAt: null,
      createdAt: new Date(instance.ports.now()).toISOString(),
      members: '2',
      records: '3',
      monthlyQuota: '1000',
      callsThisMonth: '4',
      storageBytes: expect.stringMatching(/^\d{4,}$/),
      storageQuota: null,
      storageLimit: null,
    })
    await setArchived(instance, workspace.id, true)
    expect((await list({ q: 'night' })).body.workspaces[0]).toMatchObject({
      status: 'archived',
      archivedAt: new Date(instance.ports.now()).toISOString(),
    })
  })

  test('is newest first, in pages that contain each workspace once', async () => {
    const createdIds: string[] = []
    for (let count = 0; count < 5; count++) createdIds.unshift((await instance.workspace()).id)
    const seenIds: string[] = []
    for (let cursor: string | null = ''; cursor !== null && seenIds.length < 20; ) {
      const page: TestResponse = await list(cursor ? { limit: '2', cursor } : { limit: '2' })
      seenIds.push(...ids(page))
      cursor = page.body.nextCursor
    }
    expect(seenIds.slice(0, 5)).toEqual(createdIds)
    expect(new Set(seenIds).size).toBe(seenIds.length)
  })

  test('finds a workspace by id, by its current name and by the name of its owner, ignoring case', async () => {
    const workspace = await instance.workspace('Ämter & Würden')
    const { owner } = (await list({ q: 'ÄMTER' })).body.workspaces[0]
    expect(ids(await list({ q: workspace.id.toUpperCase() }))).toEqual([workspace.id])
    expect(ids(await list({ q: owner.toUpperCase() }))).toContain(workspace.id)
    const renamed = { id: workspace.id, groupName: 'Plain' }
    await instance.request('POST', '/api/workspaces', { key: workspace.key, body: renamed })
    expect(ids(await list({ q: 'PLAIN' }))).toEqual([workspace.id])
    expect(ids(await list({ q: 'ämter' }))).toEqual([])
  })

  test('rejects a cursor of another list', async () => {
    const cursor = Buffer.from(JSON.stringify(['accounts', 'a'])).toString('base64url')
    expect((await list({ cursor })).body.details[0].field).toBe('cursor')
  })
})

describe('the instance', () => {
  test('shows its version, engine, uptime and memory', async () => {
    const before = await readInstance()
    instance.clock.advance(90_500)
    const instanceResponse = await readInstance()
    expect(instanceResponse.version).toMatch(/^\d+\.\d+\.\d+/)
    expect(instanceResponse.engine).toMatch(usePostgres ? /^PostgreSQL \d+\.\d+$/ : /^SQLite 3\.\d+\.\d+$/)
    expect(Number(instanceResponse.uptimeSeconds) - Number(before.uptimeSeconds)).toBeOneOf([90, 91])
    expect(Number(instanceResponse.memoryBytes)).toBeGreaterThan(1_000_000)
  })

  test.skipIf(usePostgres)(
    'in a data folder shows the size of the database and the free disk space',
    async () => {
      const instanceResponse = await readInstance()
      const { dataDir } = instance.storage
      const file = join(dataDir, 'reeve.db')
      expect(Number(instanceResponse.databaseBytes)).toBe(statSync(file).size + statSync(`${file}-wal`).size)
      const disk = statfsSync(dataDir)
      expect(Number(instanceResponse.disk.totalBytes)).toBe(disk.blocks * disk.bsize)
      expect(Number(instanceResponse.disk.freeBytes)).toBeGreaterThan(0)
      expect(Number(instanceResponse.disk.freeBytes)).toBeLessThan(Number(instanceResponse.disk.totalBytes))
    },
  )

  test.if(usePostgres)(
    'on a database server shows the size of the database, but not its disk and backups',
    async () => {
      const instanceResponse = await readInstance()
      expect(Number(instanceResponse.databaseBytes)).toBeGreaterThan(1_000_000)
      expect(instanceResponse.disk).toBeNull()
      expect(instanceResponse.backup).toMatchObject({
        verdict: 'ok',
        found: 'The data is in PostgreSQL. Reeve cannot see whether it is backed up.',
        advice: expect.stringContaining('pg_dump'),
        madeAt: null,
      })
    },
  )

  test('counts accounts, workspaces, records, and images with their bytes', async () => {
    const before = await readInstance()
    const workspace = await instance.workspace()
    const as = { key: workspace.key }
    const body = { workspaceId: workspace.id, action: 'ban', userId: '261', reason: 'x' }
    await instance.request('POST', '/api/moderation', { ...as, body })
    const event = {
      title: 'x',
      scheduledFor: '2031-01-01T00:00:00Z',
      imageDataUrl: dataUrl(imageBytes('png')),
    }
    await instance.request('POST', '/api/events', { ...as, body: { workspaceId: workspace.id, ...event } })
    const after = await readInstance()
    const readIncrease = (name: string) => Number(after[name]) - Number(before[name])
    expect([readIncrease('accounts'), readIncrease('workspaces'), readIncrease('records')]).toEqual([1, 1, 1])
    expect(after.media).toEqual({ count: '1', bytes: String(imageBytes('png').length) })
  })

  test('counts committed and waiting writes', async () => {
    const before = await readInstance()
    await instance.workspace()
    const after = await readInstance()
    expect(Number(after.writes.committed)).toBeGreaterThan(Number(before.writes.committed))
    expect(after.writes.waiting).toBe('0')
  })

  test.skipIf(usePostgres)(
    'reports the last backup and a failed one, with the verdict of the doctor',
    async () => {
      expect((await readInstance()).backup).toEqual({
        verdict: 'warning',
        found: 'There is no backup, and automatic backups are off.',
        advice: 'Run `reeve backup`, or set REEVE_BACKUP_EVERY=24h for automatic backups.',
        madeAt: null,
        file: null,
        failedAt: null,
        problem: null,
      })
      const [made, failed] = [instance.ports.now() - 3 * 3_600_000, instance.ports.now() - 60_000]
      const { dataDir } = instance.storage
      const file = join(dataDir, 'reeve.db')
      const record = (more: object) =>
        writeFileSync(
          join(dataDir, 'last-backup.json'),
          JSON.stringify({ made: { at: made, file }, failed: null, ...more }),
        )
      record({})
      expect((await readInstance()).backup).toMatchObject({
        verdict: 'warning',
        found: 'No backup was uploaded to the bucket yet.',
        madeAt: new Date(made).toISOString(),
      })
      const uploaded = { at: made, object: 's3://backups/reeve.db.enc' }
      record({ offsite: { made: uploaded, failed: null } })
      expect((await readInstance()).backup).toMatchObject({
        verdict: 'ok',
        found: `The last backup is 3 hours old: ${file}. Automatic backups are off.`,
        advice: expect.stringContaining('REEVE_BACKUP_EVERY'),
        madeAt: new Date(made).toISOString(),
        file,
      })
      record({ offsite: { made: uploaded, failed: { at: failed, problem: 'PUT returned status 403' } } })
      expect((await readInstance()).backup).toMatchObject({
        verdict: 'fault',
        found: expect.stringMatching(/^The upload of the backup at .* failed \(PUT returned status 403\)/),
        failedAt: null,
      })
      record({ failed: { at: failed, problem: 'The disk is full' } })
      expect((await readInstance()).backup).toMatchObject({
        verdict: 'fault',
        advice: expect.any(String),
        failedAt: new Date(failed).toISOString(),
        problem: 'The disk is full',
      })
    },
  )
})

describe('access', () => {
  test('requires the session of an operator', async () => {
    const { id: workspaceId } = await instance.workspace()
    const request = {
      method: 'GET',
      who: 'operator',
      workspace: 'none',
      workspaceId,
      permission: null,
    } as const
    await expectAccessRules(instance, { ...request, path: '/admin/api/workspaces' })
    await expectAccessRules(instance, { ...request, path: '/admin/api/instance' })
  })

  test('no rejected request was an internal error', () => {
    expect(instance.unexpectedErrors).toEqual([])
  })
})
