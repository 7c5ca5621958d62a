import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test'
import { decodeIds } from '../../support/decode-ids.ts'
import { createWebhookCaller, openDeliveries, takeEvents } from '../../support/deliveries.ts'
import { type Instance, openInstance } from '../../support/instance.ts'
import { startReceiver } from '../../support/webhook-receiver.ts'
import { openFeedFixture } from '../changes/fixture.ts'
import type { Fields } from './fixture.ts'

const STEAM = 'steam:76561197960287930'
const MINECRAFT = 'minecraft:069a79f444e94726a5befca90e38aaf5'
/** How games and people write the ids of these players. */
const OTHER_FORMS = ['[U:1:22202]', 'minecraft:069A79F4-44E9-4726-A5BE-FCA90E38AAF5'] as const

let instance: Instance
let feed: Awaited<ReturnType<typeof openFeedFixture>>

beforeAll(async () => {
  instance = await openInstance()
})
beforeEach(async () => {
  feed = await openFeedFixture(instance)
})
afterEach(() => expect(instance.unexpectedErrors).toEqual([]))
afterAll(() => instance.close())

const listUserIds = (items: readonly Fields[]) => items.map(({ userId }) => userId)

/** Bans a player on Steam, one in Minecraft and one on the default platform, by ids in other forms than the stored ones. */
async function banEach() {
  for (const userId of [...OTHER_FORMS, '261']) await feed.ban(userId)
}

const download = async (file: string, query: Record<string, string> = {}) => {
  const search = new URLSearchParams({ workspaceId: feed.id, ...query })
  const response = await instance.request('GET', `/portal/api/${file}?${search}`, {
    session: feed.ownerSession,
  })
  expect(response.status, response.text).toBe(200)
  return response.text
}

test('exports contain the one form of each id, and are filtered by any', async () => {
  await banEach()
  /** The values of a column of a file whose texts have no commas. */
  const readColumn = (csv: string, name: string) => {
    const [header = [], ...rows] = csv
      .trim()
      .split('\r\n')
      .map((line) => line.split(','))
    return rows.map((row) => row[header.indexOf(name)])
  }
  expect(readColumn(await download('moderation.csv'), 'userId')).toEqual(['261', MINECRAFT, STEAM])
  const readLines = (text: string): Fields[] =>
    text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  expect(listUserIds(readLines(await download('records.jsonl')))).toEqual([STEAM, MINECRAFT, '261'])
  for (const [form, userId] of [
    [OTHER_FORMS[0], STEAM],
    [OTHER_FORMS[1], MINECRAFT],
  ] as const) {
    const csv = await download('moderation.csv', { banList: 'true', userId: form })
    expect(readColumn(csv, 'userId')).toEqual([userId])
    expect(listUserIds(readLines(await download('records.jsonl', { userId: form })))).toEqual([userId])
    const audit = await download('audit.csv', { userId: form })
    expect(audit.trim().split('\r\n').slice(1)).toEqual([expect.stringContaining('moderation.ban')])
  }
})

test('the change feed, the snapshot and its sets name each player by the stored id', async () => {
  const position = await feed.readPosition()
  await banEach()
  await feed.actOk({ action: 'mute', userId: 'steam:STEAM_0:0:11101', reason: 'Loud', durationSeconds: '60' })
  await feed.actOk({ action: 'unban', userId: OTHER_FORMS[1] })
  const { changes } = await feed.readChanges(position)
  expect(changes.map(({ op, kind, userId }: Fields) => [op, kind, userId])).toEqual([
    ['set', 'ban', STEAM],
    ['set', 'ban', '261'],
    ['set', 'mute', STEAM],
    ['clear', 'ban', MINECRAFT],
  ])
  const { sanctions } = await feed.readSnapshot()
  expect(sanctions.map(({ kind, userId }: Fields) => [kind, userId])).toEqual([
    ['ban', '261'],
    ['ban', STEAM],
    ['mute', STEAM],
  ])
  const { sets } = await feed.readSnapshot({ format: 'ids' })
  const [bans, mutes] = sets.map(decodeIds)
  expect([...bans]).toEqual([
    ['261', null],
    [STEAM, null],
  ])
  expect([...mutes]).toEqual([[STEAM, feed.timeFromNow(60_000)]])
  expect(sets[0].others).toEqual([{ userId: STEAM, expiresAt: null }])
})

test('the check of a game server takes any form, returns the one of the platform, and knows the same players again', async () => {
  await banEach()
  const check = async (userIds: readonly string[], tag = '') => {
    const { status, body } = await feed.check({ userIds: userIds.join(), tag })
    expect(status).toBe(200)
    return body
  }
  const { bans, tag } = await check([...OTHER_FORMS, '261', 'discord:80351110224678912'])
  expect(listUserIds(bans).sort()).toEqual(['261', MINECRAFT, STEAM])
  const again = await check(
    ['discord:80351110224678912', '261', MINECRAFT, 'fivem:steam:1100001000056ba'],
    tag,
  )
  expect(again.unchanged).toBe('true')
  await feed.setPlatform('steam')
  const bare = STEAM.replace('steam:', '')
  expect(listUserIds((await check([bare, MINECRAFT], tag)).bans).sort()).toEqual([bare, MINECRAFT])
  // What was stored stays, so that followers find the players that they know.
  expect(listUserIds((await feed.readSnapshot()).sanctions)).toContain(STEAM)
})

test('the feed and its snapshot say which platforms ids without a platform mean, so that programs can compare them', async () => {
  const start = await feed.readSnapshot()
  expect(start.platforms).toEqual(['roblox'])
  await feed.setPlatform('minecraft')
  const current = ['minecraft', 'roblox']
  expect((await feed.readSnapshot()).platforms).toEqual(current)
  expect((await feed.readSnapshot({ format: 'ids' })).platforms).toEqual(current)
  expect((await feed.readChanges({ since: start.sequence, epoch: start.epoch })).platforms).toEqual(current)
})

test('webhooks name each player by the stored id', async () => {
  const deliveries = openDeliveries(instance)
  const receiver = startReceiver()
  try {
    await createWebhookCaller(instance, feed).create(receiver.url, 'ban.created,ban.ended,appeal.submitted')
    await banEach()
    const ended = await feed.actOk({ action: 'unban', userId: OTHER_FORMS[0] })
    const { appealCode } = await feed.ban(OTHER_FORMS[1])
    const appeal = await instance.request('POST', '/api/appeals', {
      key: feed.key,
      body: { workspaceId: feed.id, code: appealCode, message: 'It was my brother.' },
    })
    expect([appeal.status, appeal.body.ban?.userId, ended.userId]).toEqual([200, MINECRAFT, STEAM])
    const events = await takeEvents(deliveries, receiver)
    expect(events.map((event) => [event.type, (event.record ?? event.appeal).userId])).toEqual([
      ['ban.created', STEAM],
      ['ban.created', MINECRAFT],
      ['ban.created', '261'],
      ['ban.ended', STEAM],
      ['ban.ended', MINECRAFT],
      ['ban.created', MINECRAFT],
      ['appeal.submitted', MINECRAFT],
    ])
  } finally {
    receiver.stop()
  }
})
