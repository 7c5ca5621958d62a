import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { statement } from '@reeve/db'
import { type Answer, type CallOptions, type Instance, openInstance } from '../../support/instance.ts'
import { archived, quota } from '../../support/states.ts'
import { type Home, read, times, write } from './calls.ts'

let instance: Instance
beforeAll(async () => {
  instance = await openInstance()
})
afterAll(() => instance.close())

const HOUR = 3_600_000

describe('Idempotency-Key', () => {
  const once = (
    home: Home,
    key: string,
    body: object = { name: 'once' },
    more: CallOptions = {},
    at = instance,
  ) =>
    at.call('POST', `/api/departments?workspaceId=${home.id}`, {
      key: home.key,
      body,
      headers: { 'idempotency-key': key },
      ...more,
    })
  const count = async (home: Home) => (await read(instance, home)).body.departments.length

  test('the same request again has the same answer and no second effect, for 24 hours', async () => {
    const home = await instance.workspace()
    const first = await once(home, 'a')
    expect([first.status, first.headers.get('idempotent-replayed')]).toEqual([200, null])
    instance.clock.advance(24 * HOUR - 1)
    const again = await once(home, 'a')
    expect([again.status, again.body, again.headers.get('idempotent-replayed')]).toEqual([
      200,
      first.body,
      'true',
    ])
    expect(again.headers.get('content-type')).toStartWith('application/json')
    expect(await count(home)).toBe(1)
    instance.clock.advance(1)
    expect((await once(home, 'a')).status).toBe(409)
  })

  test('both prefixes are the same route', async () => {
    const home = await instance.workspace()
    await once(home, 'a')
    const legacy = await instance.call('POST', `/api/public/v1/departments?workspaceId=${home.id}`, {
      key: home.key,
      body: { name: 'once' },
      headers: { 'idempotency-key': 'a' },
    })
    expect([legacy.status, legacy.headers.get('idempotent-replayed')]).toEqual([200, 'true'])
  })

  test('another body or query under the same key is refused and changes nothing', async () => {
    const home = await instance.workspace()
    await once(home, 'a')
    const other = await once(home, 'a', { name: 'twice' })
    expect([other.status, other.body.code]).toEqual([422, 'idempotency_mismatch'])
    expect((await once(home, 'a')).headers.get('idempotent-replayed')).toBe('true')
    expect(await count(home)).toBe(1)
  })

  test('another caller, workspace or route has keys of its own', async () => {
    const [home, other] = [await instance.workspace(), await instance.workspace()]
    await once(home, 'a')
    const second = await instance.key(home.id)
    expect((await once(home, 'a', { name: 'second caller' }, { key: second })).status).toBe(200)
    expect((await once(other, 'a')).status).toBe(200)
    const patch = await instance.call('PATCH', `/api/departments?workspaceId=${home.id}`, {
      key: home.key,
      body: { id: instance.ports.newId() },
      headers: { 'idempotency-key': 'a' },
    })
    expect(patch.status).toBe(404)
  })

  test('of a hundred at once one has the effect; the others wait for it or are told to', async () => {
    const home = await instance.workspace()
    const answers = await times(100, () => once(home, 'burst'))
    const told = ({ status, body, headers }: Answer) =>
      status === 409 ? body.code : (headers.get('idempotent-replayed') ?? status)
    const [done, others] = [answers.filter((one) => told(one) === 200), new Set(answers.map(told))]
    expect(done).toHaveLength(1)
    expect([...others].filter((one) => ![200, 'conflict', 'true'].includes(one))).toEqual([])
    expect(await count(home)).toBe(1)
  })

  test('a refusal by the rules is kept and given again, also when it would be granted by now', async () => {
    const home = await instance.workspace()
    const { department } = (await write(instance, home, { body: { name: 'Taken' } })).body
    const first = await once(home, 'a', { name: 'taken' })
    expect(first.status).toBe(409)
    const path = `/api/departments?workspaceId=${home.id}&id=${department.id}`
    expect((await instance.call('DELETE', path, { key: home.key })).status).toBe(200)
    const again = await once(home, 'a', { name: 'taken' })
    expect([again.status, again.body, again.headers.get('idempotent-replayed')]).toEqual([
      409,
      first.body,
      'true',
    ])
    expect((await once(home, 'b', { name: 'taken' })).status).toBe(200)
  })

  test('what may go better next time is not kept', async () => {
    const home = await instance.workspace()
    await quota(instance, home.id, 0)
    expect((await once(home, 'a')).status).toBe(429)
    await quota(instance, home.id, null)
    await archived(instance, home.id, true)
    expect((await once(home, 'a')).status).toBe(403)
    await archived(instance, home.id, false)
    const done = await once(home, 'a')
    expect([done.status, done.headers.get('idempotent-replayed')]).toEqual([200, null])
  })

  test('a repeat is admitted anew: whoever lost the permission meanwhile is refused', async () => {
    const home = await instance.workspace()
    await once(home, 'a')
    await archived(instance, home.id, true)
    expect((await once(home, 'a')).body.reason).toBe('workspace_archived')
  })

  test('an empty key and one of more than 255 characters are refused by name', async () => {
    const home = await instance.workspace()
    for (const key of ['', 'x'.repeat(256)]) {
      const answer = await once(home, key)
      expect([answer.status, answer.body.details?.[0]?.field]).toEqual([400, 'Idempotency-Key'])
    }
    expect((await once(home, 'x'.repeat(255))).status).toBe(200)
  })

  test('no secret of a request is kept with it: the body is kept as a hash alone', async () => {
    const home = await instance.workspace()
    await once(home, 'a', { name: 'kept', description: 'planted text' })
    const rows = await instance.db.read.all(
      statement<{ workspaceId: string }>()((sql, p) =>
        sql.selectFrom('idempotency').selectAll().where('workspace_id', '=', p.workspaceId),
      ),
      { workspaceId: home.id },
    )
    expect(rows).toHaveLength(1)
    expect(rows[0]?.request_hash).toMatch(/^[0-9a-f]{64}$/)
  })
})
