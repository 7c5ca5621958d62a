import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Instance, openInstance } from '../../support/instance.ts'
import { quota } from '../../support/states.ts'
import { type Home, read, statuses, times, write } from './calls.ts'

let instance: Instance
beforeAll(async () => {
  instance = await openInstance()
})
afterAll(() => instance.close())

const HOUR = 3_600_000

describe('rate', () => {
  test('a sixth of a minute may come at once; what comes beyond waits as long as it is told', async () => {
    const at = await openInstance({ keyRatePerMinute: 60 })
    const home = await at.workspace()
    const one = () => read(at, home)
    const answers = await times(30, one)
    expect(statuses(answers).filter((status) => status === 200)).toHaveLength(10)
    const [first] = answers
    expect(first?.headers.get('ratelimit-policy')).toBe('"key";q=60;w=60')
    expect(answers.map(({ headers }) => headers.get('ratelimit'))).toContain('"key";r=9;t=1')
    const refused = await one()
    expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited'])
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(refused.headers.get('ratelimit-policy')).toBe('"key";q=60;w=60')
    expect(refused.headers.get('ratelimit')).toBe('"key";r=0;t=10')
    at.clock.advance(999)
    expect((await one()).status).toBe(429)
    at.clock.advance(1)
    expect(statuses([await one(), await one()])).toEqual([200, 429])
    at.clock.advance(24 * HOUR)
    expect(statuses(await times(11, one)).filter((status) => status === 200)).toHaveLength(10)
    await at.close()
  })

  test('whoever waits as long as Retry-After says is let through, at any rate', async () => {
    for (const keyRatePerMinute of [1, 7, 59, 61, 600, 997]) {
      const at = await openInstance({ keyRatePerMinute })
      const home = await at.workspace()
      for (let round = 0; round < 5; round++) {
        let answer = await read(at, home)
        while (answer.status === 200) answer = await read(at, home)
        at.clock.advance(Number(answer.headers.get('retry-after')) * 1000)
        expect([keyRatePerMinute, (await read(at, home)).status]).toEqual([keyRatePerMinute, 200])
        at.clock.advance(137)
      }
      await at.close()
    }
  })

  test('each key and each session has a rate of its own, and a session another one', async () => {
    const at = await openInstance({ keyRatePerMinute: 6, sessionRatePerMinute: 12 })
    const home = await at.workspace()
    const second = await at.key(home.id)
    expect(statuses([await read(at, home), await read(at, home)])).toEqual([200, 429])
    expect((await read(at, home, { key: second })).status).toBe(200)
    const session = { session: home.ownerSession }
    const answers = [
      await read(at, home, session),
      await read(at, home, session),
      await read(at, home, session),
    ]
    expect(statuses(answers)).toEqual([200, 200, 429])
    expect(answers[0]?.headers.get('ratelimit-policy')).toBe('"session";q=12;w=60')
    await at.close()
  })

  test('refused calls carry the fields too; strangers and a rate of none have none', async () => {
    const at = await openInstance({ keyRatePerMinute: 60 })
    const home = await at.workspace()
    const lacking = await at.key(home.id, [])
    const refused = await read(at, home, { key: lacking })
    expect([refused.status, refused.headers.has('ratelimit')]).toEqual([403, true])
    const stranger = await read(at, home, {})
    expect([stranger.status, stranger.headers.has('ratelimit')]).toEqual([401, false])
    const unlimited = await read(at, home, { session: home.ownerSession })
    expect([unlimited.status, unlimited.headers.has('ratelimit')]).toEqual([200, false])
    await at.close()
  })
})

describe('quota', () => {
  const check = (home: Home) =>
    instance.call('POST', `/api/moderation?workspaceId=${home.id}&banList=true&userId=261`, { key: home.key })

  test('past it writes wait for the next month, and the ban check still answers', async () => {
    const home = await instance.workspace()
    await quota(instance, home.id, 3)
    expect(
      statuses([await write(instance, home), await read(instance, home), await write(instance, home)]),
    ).toEqual([200, 200, 200])
    await instance.flush()
    const refused = await write(instance, home)
    expect([refused.status, refused.body.code]).toEqual([429, 'quota_exceeded'])
    const now = new Date(instance.clock.now())
    const next = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)
    expect(refused.headers.get('retry-after')).toBe(String((next - instance.clock.now()) / 1000))
    const answer = await check(home)
    expect([answer.status, answer.body.bans]).toEqual([200, []])
    expect((await read(instance, home)).status).toBe(200)
    await instance.flush()
    instance.clock.advance(next - 1 - instance.clock.now())
    expect((await write(instance, home)).status).toBe(429)
    await instance.flush()
    instance.clock.advance(1)
    expect((await write(instance, home)).status).toBe(200)
  })

  test('any number of writes at once get exactly what is left', async () => {
    const home = await instance.workspace()
    await quota(instance, home.id, 10)
    await read(instance, home)
    await instance.flush()
    const answers = statuses(await times(40, () => write(instance, home)))
    expect(answers.filter((status) => status === 200)).toHaveLength(9)
    expect(answers.filter((status) => status === 429)).toHaveLength(31)
  })

  test('calls made before the quota was set count, those of last month do not', async () => {
    const home = await instance.workspace()
    for (let count = 0; count < 4; count++) await read(instance, home)
    await quota(instance, home.id, 5)
    expect(statuses([await write(instance, home), await write(instance, home)])).toEqual([200, 429])
    await instance.flush()
    instance.clock.advance(31 * 24 * HOUR)
    expect((await write(instance, home)).status).toBe(200)
  })

  test('a workspace that was given more goes on at once', async () => {
    const home = await instance.workspace()
    await quota(instance, home.id, 1)
    expect(statuses([await write(instance, home), await write(instance, home)])).toEqual([200, 429])
    await quota(instance, home.id, 3)
    expect(statuses([await write(instance, home), await write(instance, home)])).toEqual([200, 429])
    await quota(instance, home.id, null)
    expect((await write(instance, home)).status).toBe(200)
  })
})
