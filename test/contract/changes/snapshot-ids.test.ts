import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { decodeIds } from '../../support/decode-ids.ts'
import { type Instance, openInstance } from '../../support/instance.ts'
import { openFeedFixture } from './fixture.ts'

let instance: Instance
let feed: Awaited<ReturnType<typeof openFeedFixture>>

beforeAll(async () => {
  instance = await openInstance()
})
afterAll(() => instance.close())
beforeEach(async () => {
  feed = await openFeedFixture(instance)
})

describe('the snapshot as ids', () => {
  test('has the same players and expiries as the pages, whatever their ids look like', async () => {
    const ids = ['0', '7', '10', '261', '9', '100', '4416', '5000', '99999', '9007199254740991']
    const others = ['9007199254740992', '007', 'Robin', '12.5', '-3', '1234567890123456789']
    for (const [index, userId] of [...ids, ...others].entries()) {
      const isTemporary = index % 3 === 0
      await feed.ban(userId, isTemporary ? { durationSeconds: String(60 + index * 1000) } : {})
    }
    await feed.actOk({ action: 'mute', userId: '5', reason: 'Loud' })
    const { sanctions, sequence, epoch } = await feed.readSnapshot({ kinds: 'ban' })
    const snapshot = await feed.readSnapshot({ kinds: 'ban', format: 'ids' })
    expect([snapshot.sequence, snapshot.epoch]).toEqual([sequence, epoch])
    expect(snapshot.sets).toHaveLength(1)
    const [set] = snapshot.sets
    expect(set.others.map(({ userId }: { userId: string }) => userId).sort()).toEqual([...others].sort())
    // Expiries are rounded up to seconds, so that nobody is free too early.
    const roundUp = (time: string | null) =>
      time && new Date(Math.ceil(Date.parse(time) / 1000) * 1000).toISOString()
    const expected = new Map(
      sanctions.map(({ userId, expiresAt }: Record<string, string>) => [
        userId,
        others.includes(String(userId)) ? expiresAt : roundUp(expiresAt ?? null),
      ]),
    )
    expect(new Map([...decodeIds(set)].sort())).toEqual(new Map([...expected].sort()) as never)
    const both = await feed.readSnapshot({ format: 'ids' })
    expect(both.sets.map(({ kind, count }: Record<string, string>) => [kind, count])).toEqual([
      ['ban', '10'],
      ['mute', '1'],
    ])
  })

  test('is encoded as the example in docs/api.md', async () => {
    instance.clock.advance(Date.parse('2026-12-01T00:00:00Z') - instance.clock.now())
    await feed.ban('5000')
    await feed.ban('261')
    const seconds = (Date.parse('2027-01-01T00:00:00Z') - instance.clock.now()) / 1000
    await feed.ban('4416', { durationSeconds: String(seconds) })
    await feed.ban('steam:76561197960287930')
    const snapshot = await feed.readSnapshot({ kinds: 'ban', format: 'ids' })
    const guide = await Bun.file(`${import.meta.dir}/../../../docs/api.md`).text()
    const [example = ''] = /(?<=^```json\n)\{"sets".*$/m.exec(guide) ?? []
    const { sequence, epoch } = snapshot
    expect(snapshot).toEqual({ ...JSON.parse(example), sequence, epoch })
  })

  test('has a strong entity tag, and rejects fields of pages', async () => {
    const read = (query: Record<string, string>, headers = {}) =>
      feed.read('/snapshot', { format: 'ids', ...query }, { headers })
    const tag = (await read({})).headers.get('etag') ?? ''
    expect((await read({}, { 'if-none-match': tag })).status).toBe(304)
    const rejected = await read({ limit: '10' })
    expect([rejected.status, rejected.body.details[0].field]).toEqual([400, 'limit'])
  })
})
