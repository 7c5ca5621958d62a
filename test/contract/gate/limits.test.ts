import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { DAY_MS } from '@reeve/core'
import { statement } from '@reeve/db'
import { usePostgres } from '../../support/engine.ts'
import { type Instance, openInstance, type RequestOptions } from '../../support/instance.ts'
import { quota } from '../../support/workspace-states.ts'
import { holdWrites } from '../../support/write-queue.ts'
import {
  createDepartment,
  listStatuses,
  readDepartments,
  runTimes,
  type WorkspaceFixture,
} from './requests.ts'

const deleteResponses = statement<{ workspaceId: string }>()((sql, p) =>
  sql.deleteFrom('idempotency').where('workspace_id', '=', p.workspaceId),
)

let instance: Instance
beforeAll(async () => {
  instance = await openInstance()
})
afterAll(() => instance.close())

describe('rate limit', () => {
  test('allows a burst of one sixth of the rate; later requests succeed after Retry-After', async () => {
    const target = await openInstance({ keyRatePerMinute: 60 })
    const workspace = await target.workspace()
    const sendRead = () => readDepartments(target, workspace)
    const first = await sendRead()
    expect(first.status).toBe(200)
    expect(first.headers.get('ratelimit-policy')).toBe('"key";q=60;w=60')
    expect(first.headers.get('ratelimit')).toBe('"key";r=9;t=1')
    const responses = await runTimes(29, sendRead)
    expect(listStatuses(responses).toSorted()).toEqual([...Array(9).fill(200), ...Array(20).fill(429)])
    const remaining = responses
      .filter(({ status }) => status === 200)
      .map(({ headers }) => headers.get('ratelimit'))
    expect(remaining.toSorted().toReversed()).toEqual(
      Array.from({ length: 9 }, (_, index) => `"key";r=${8 - index};t=${index + 2}`),
    )
    const rejected = await sendRead()
    expect([rejected.status, rejected.body.code]).toEqual([429, 'rate_limited'])
    expect(rejected.headers.get('retry-after')).toBe('1')
    expect(rejected.headers.get('ratelimit-policy')).toBe('"key";q=60;w=60')
    expect(rejected.headers.get('ratelimit')).toBe('"key";r=0;t=10')
    target.clock.advance(999)
    expect((await sendRead()).status).toBe(429)
    target.clock.advance(1)
    expect(listStatuses([await sendRead(), await sendRead()])).toEqual([200, 429])
    target.clock.advance(DAY_MS)
    expect(listStatuses(await runTimes(11, sendRead)).filter((status) => status === 200)).toHaveLength(10)
    await target.close()
  })

  test('a request after Retry-After succeeds, at any rate', async () => {
    for (const keyRatePerMinute of [1, 7, 59, 61, 600, 997]) {
      const target = await openInstance({ keyRatePerMinute })
      const workspace = await target.workspace()
      for (let round = 0; round < 5; round++) {
        let response = await readDepartments(target, workspace)
        while (response.status === 200) response = await readDepartments(target, workspace)
        target.clock.advance(Number(response.headers.get('retry-after')) * 1000)
        expect([keyRatePerMinute, (await readDepartments(target, workspace)).status]).toEqual([
          keyRatePerMinute,
          200,
        ])
        target.clock.advance(137)
      }
      await target.close()
    }
  })

  test('is separate for each API key and session; sessions have their own rate', async () => {
    const target = await openInstance({ keyRatePerMinute: 6, sessionRatePerMinute: 12 })
    const workspace = await target.workspace()
    const second = await target.key(workspace.id)
    expect(
      listStatuses([await readDepartments(target, workspace), await readDepartments(target, workspace)]),
    ).toEqual([200, 429])
    expect((await readDepartments(target, workspace, { key: second })).status).toBe(200)
    const session = { session: workspace.ownerSession }
    const responses = [
      await readDepartments(target, workspace, session),
      await readDepartments(target, workspace, session),
      await readDepartments(target, workspace, session),
    ]
    expect(listStatuses(responses)).toEqual([200, 200, 429])
    expect(responses[0]?.headers.get('ratelimit-policy')).toBe('"session";q=12;w=60')
    await target.close()
  })

  test('its headers are sent with rejected requests too, but not without credentials or without a limit', async () => {
    const target = await openInstance({ keyRatePerMinute: 60 })
    const workspace = await target.workspace()
    const keyWithoutPermissions = await target.key(workspace.id, [])
    const rejected = await readDepartments(target, workspace, { key: keyWithoutPermissions })
    expect([rejected.status, rejected.headers.has('ratelimit')]).toEqual([403, true])
    const stranger = await readDepartments(target, workspace, {})
    expect([stranger.status, stranger.headers.has('ratelimit')]).toEqual([401, false])
    const unlimited = await readDepartments(target, workspace, { session: workspace.ownerSession })
    expect([unlimited.status, unlimited.headers.has('ratelimit')]).toEqual([200, false])
    await target.close()
  })
})

/** Sends writes over 64 connections, and stores the counts in between as the server does. @returns how many were accepted */
async function countAccepted(targets: readonly Instance[], workspace: WorkspaceFixture, writes: number) {
  const statuses: number[] = []
  let sent = 0
  const sendWrites = async (connection: number) => {
    const target = targets[connection % targets.length] as Instance
    while (sent < writes) {
      sent += 1
      const { status } = await createDepartment(target, workspace)
      statuses.push(status)
      if (status === 429) await target.flush()
    }
  }
  await Promise.all(Array.from({ length: 64 }, (_, connection) => sendWrites(connection)))
  expect(statuses.filter((status) => status !== 200 && status !== 429)).toEqual([])
  return statuses.filter((status) => status === 200).length
}

describe('quota', () => {
  const check = (workspace: WorkspaceFixture) =>
    instance.request('POST', `/api/moderation?workspaceId=${workspace.id}&banList=true&userId=261`, {
      key: workspace.key,
    })

  test('beyond it, writes fail until the next month, and the ban check still works', async () => {
    const workspace = await instance.workspace()
    await quota(instance, workspace.id, 3)
    expect(
      listStatuses([
        await createDepartment(instance, workspace),
        await readDepartments(instance, workspace),
        await createDepartment(instance, workspace),
      ]),
    ).toEqual([200, 200, 200])
    await instance.flush()
    const rejected = await createDepartment(instance, workspace)
    expect([rejected.status, rejected.body.code]).toEqual([429, 'quota_exceeded'])
    const now = new Date(instance.clock.now())
    const next = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)
    expect(rejected.headers.get('retry-after')).toBe(String((next - instance.clock.now()) / 1000))
    const response = await check(workspace)
    expect([response.status, response.body.bans]).toEqual([200, []])
    expect((await readDepartments(instance, workspace)).status).toBe(200)
    await instance.flush()
    instance.clock.advance(next - 1 - instance.clock.now())
    expect((await createDepartment(instance, workspace)).status).toBe(429)
    await instance.flush()
    instance.clock.advance(1)
    expect((await createDepartment(instance, workspace)).status).toBe(200)
  })

  test('concurrent writes cannot exceed it', async () => {
    const workspace = await instance.workspace()
    await quota(instance, workspace.id, 10)
    await readDepartments(instance, workspace)
    await instance.flush()
    const responses = listStatuses(await runTimes(40, () => createDepartment(instance, workspace)))
    expect(responses.filter((status) => status === 200)).toHaveLength(9)
    expect(responses.filter((status) => status === 429)).toHaveLength(31)
  })

  test('accepts exactly the remaining writes over 64 connections, while rejected requests are stored', async () => {
    const workspace = await instance.workspace()
    for (let count = 0; count < 5; count++) await readDepartments(instance, workspace)
    await instance.flush()
    await quota(instance, workspace.id, 305)
    expect(await countAccepted([instance], workspace, 700)).toBe(300)
    expect((await readDepartments(instance, workspace)).body.departments).toHaveLength(50)
  })

  test.if(usePostgres)('accepts exactly the remaining writes on two processes', async () => {
    const other = await openInstance({ storage: instance.storage, clock: instance.clock })
    const workspace = await instance.workspace()
    await quota(instance, workspace.id, 300)
    expect(await countAccepted([instance, other], workspace, 700)).toBe(300)
    await other.db.close()
  })

  describe('a retry with the Idempotency-Key of the last accepted write', () => {
    const send = (workspace: WorkspaceFixture, idempotencyKey: string, name = 'Last') =>
      createDepartment(instance, workspace, {
        body: { name },
        headers: { 'idempotency-key': idempotencyKey },
      })
    const countDepartments = async (workspace: WorkspaceFixture) =>
      (await readDepartments(instance, workspace)).body.departments.length

    test('gets the response to it, although the quota is used up; other writes do not pass', async () => {
      const workspace = await instance.workspace()
      await quota(instance, workspace.id, 1)
      const first = await send(workspace, 'a')
      expect(first.status).toBe(200)
      await instance.flush()
      const retry = await send(workspace, 'a')
      expect([retry.status, retry.headers.get('idempotent-replayed'), retry.body]).toEqual([
        200,
        'true',
        first.body,
      ])
      const others = [await send(workspace, 'a', 'Other'), await send(workspace, 'b', 'Other')]
      expect(others.map(({ body }) => body.code)).toEqual(['idempotency_mismatch', 'quota_exceeded'])
      const foreignKey = await instance.key(workspace.id, ['departments.manage'])
      const foreign = await createDepartment(instance, workspace, {
        key: foreignKey,
        headers: { 'idempotency-key': 'a' },
      })
      expect(foreign.body.code).toBe('quota_exceeded')
      expect(await countDepartments(workspace)).toBe(1)
      instance.clock.advance(DAY_MS)
      expect((await send(workspace, 'a')).body.code).toBe('quota_exceeded')
    })

    test('while that one is in progress gets 409, as without a quota', async () => {
      const workspace = await instance.workspace()
      await quota(instance, workspace.id, 2)
      await createDepartment(instance, workspace)
      const writes = await holdWrites(instance.db, workspace.id)
      const first = send(workspace, 'a')
      await writes.untilWaiting(1)
      const { status, body, headers } = await send(workspace, 'a')
      expect([status, body.code, headers.get('retry-after')]).toEqual([409, 'conflict', '1'])
      await writes.release()
      expect((await first).status).toBe(200)
    })

    test('has no effect beyond the quota if the stored response is deleted before it gets it', async () => {
      const workspace = await instance.workspace()
      await quota(instance, workspace.id, 1)
      await send(workspace, 'a')
      await instance.flush()
      const writes = await holdWrites(instance.db, workspace.id)
      const deletion = instance.db.write((tx) => tx.run(deleteResponses, { workspaceId: workspace.id }))
      await writes.untilWaiting(1)
      const retry = send(workspace, 'a', 'Second')
      await writes.untilWaiting(2)
      await writes.release()
      await deletion
      expect((await retry).body.code).toBe('quota_exceeded')
      expect(await countDepartments(workspace)).toBe(1)
    })
  })

  test('does not apply to people: they can moderate after it is used up', async () => {
    const workspace = await instance.workspace()
    await quota(instance, workspace.id, 1)
    const body = { action: 'ban', userId: '261', reason: 'Exploiting' }
    const path = `/api/moderation?workspaceId=${workspace.id}`
    const send = (credentials: RequestOptions) => instance.request('POST', path, { ...credentials, body })
    expect((await send({ key: workspace.key })).status).toBe(200)
    const rejected = await send({ key: workspace.key })
    expect([rejected.status, rejected.body.code]).toEqual([429, 'quota_exceeded'])
    expect(rejected.body.error).toContain('API keys')
    expect((await send({ session: workspace.ownerSession })).status).toBe(200)
  })

  test('includes requests from before it was set, but not those of last month', async () => {
    const workspace = await instance.workspace()
    for (let count = 0; count < 4; count++) await readDepartments(instance, workspace)
    await quota(instance, workspace.id, 5)
    expect(
      listStatuses([
        await createDepartment(instance, workspace),
        await createDepartment(instance, workspace),
      ]),
    ).toEqual([200, 429])
    await instance.flush()
    instance.clock.advance(31 * DAY_MS)
    expect((await createDepartment(instance, workspace)).status).toBe(200)
  })

  test('a higher quota applies at once', async () => {
    const workspace = await instance.workspace()
    await quota(instance, workspace.id, 1)
    expect(
      listStatuses([
        await createDepartment(instance, workspace),
        await createDepartment(instance, workspace),
      ]),
    ).toEqual([200, 429])
    // The rejected request does not count against it.
    await quota(instance, workspace.id, 2)
    expect(
      listStatuses([
        await createDepartment(instance, workspace),
        await createDepartment(instance, workspace),
      ]),
    ).toEqual([200, 429])
    await quota(instance, workspace.id, null)
    expect((await createDepartment(instance, workspace)).status).toBe(200)
  })
})
