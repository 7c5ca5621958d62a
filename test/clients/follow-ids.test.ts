import { afterAll, afterEach, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { Reeve } from '@reeve/client'
import fc from 'fast-check'
import { startFollowing } from './following.ts'
import { openRobloxFixture, type RobloxFixture } from './roblox-fixture.ts'

setDefaultTimeout(60_000)

const STEAM = '76561197960287930'
const UUID = '069a79f444e94726a5befca90e38aaf5'
const DASHED = '069A79F4-44E9-4726-A5BE-FCA90E38AAF5'

let fixture: RobloxFixture
let reeve: Reeve
let following: ReturnType<typeof startFollowing> | undefined
beforeAll(async () => {
  fixture = await openRobloxFixture()
  const { server, key, workspaceId } = fixture
  reeve = new Reeve({ url: server.origin, key, workspaceId })
})
afterEach(() => following?.follower.stop())
afterAll(() => fixture.close())

const ban = (userId: string) => reeve.moderation.ban({ userId, reason: 'Exploiting' })

/** Follows, and has every change so far. */
async function follow() {
  following = startFollowing(reeve)
  await following.follower.ready
  return following
}

test('a follower finds a player on another platform by every form of the id, also one who was banned meanwhile', async () => {
  const { follower, waitFor } = await follow()
  const forms = [
    ...[`steam:${STEAM}`, 'steam:STEAM_0:0:11101', 'STEAM:STEAM_1:0:11101', '[U:1:22202]'],
    ...['fivem:steam:1100001000056BA', `minecraft:${UUID}`, `minecraft:${DASHED}`],
    ...['261', 'roblox:261', 'roblox:00261'],
  ]
  expect(forms.filter((id) => follower.isBanned(id))).toEqual([])
  await ban('steam:STEAM_0:0:11101')
  await ban(`minecraft:${DASHED}`)
  await reeve.moderation.mute({ userId: '[U:1:22202]', reason: 'Loud' })
  await ban('261')
  await waitFor(({ userId }) => userId === '261')
  expect(forms.filter((id) => !follower.isBanned(id))).toEqual([])
  expect(forms.filter((id) => follower.isMuted(id))).toEqual(forms.slice(0, 5))
  expect([follower.isBanned(261), follower.isBanned(261n), follower.isBanned(STEAM)]).toEqual([
    true,
    true,
    false,
  ])
  expect((await follow()).follower.find('ban', 'steam:STEAM_0:0:11101')).toMatchObject({
    userId: `steam:${STEAM}`,
  })
})

test('a follower rejects an id that the server rejects, because nobody could ever be banned under it', async () => {
  const { follower } = await follow()
  for (const [id, message] of [
    ['steam:7656', 'userId: must have a SteamID such as 76561197960287930'],
    [
      'minecraft:notch',
      'userId: must have the UUID of the player, with or without dashes, after minecraft:.',
    ],
    ['no id', 'userId: must be 1 to 64 characters of A-Z a-z 0-9 _ . : -, or a platform and an id'],
  ] as const) {
    expect(() => follower.isBanned(id)).toThrow(TypeError)
    expect(() => follower.isMuted(id)).toThrow(message)
  }
})

/** Few players, so that they meet in several forms: on several platforms, and with ids that several platforms could have. */
const accounts = fc.integer({ min: 1, max: 6 })
const ids = fc.oneof(
  accounts.map((account) => `steam:STEAM_0:${account % 2}:${account >> 1}`),
  accounts.map((account) => String(76561197960265728n + BigInt(account))),
  accounts.map((account) => `[U:1:${account}]`),
  accounts.map((account) => `minecraft:${String(account).repeat(32)}`),
  accounts.map((account) => `${account}00ABCDE-44e9-4726-a5be-fca90e38aaf5`),
  accounts.map((account) => `minecraft:${account}00abcde44e94726a5befca90e38aaf5`),
  accounts.map(String),
  accounts.map((account) => `roblox:${account}`),
  accounts.map((account) => `0${account}`),
  accounts.map((account) => `xbox:${account}`),
  accounts.map((account) => `fivem:${account}`),
  accounts.map((account) => `fivem:fivem:${account}`),
  accounts.map((account) => `discord:${76561197960265728n + BigInt(account)}`),
)

test('a follower finds exactly whom the server finds, whatever the default platform was and becomes', async () => {
  const random = fc.sample(fc.infiniteStream(ids), { numRuns: 1, seed: 7 })[0]
  const take = (count: number): string[] =>
    Array.from({ length: count }, () => random?.next().value as string)
  for (const platform of ['roblox', 'steam', 'fivem', 'minecraft', 'xbox', 'roblox']) {
    await fixture.setPlatform(platform)
    // Who is banned already is not banned again.
    for (const id of take(5)) await ban(id).catch(() => {})
    const { follower } = await follow()
    for (const id of take(40))
      expect({ platform, id, isBanned: follower.isBanned(id) }).toEqual({
        platform,
        id,
        isBanned: (await reeve.moderation.findBan(id)) !== null,
      })
    follower.stop()
  }
})

test('a follower hears of another default platform with the next change', async () => {
  const { follower, waitFor } = await follow()
  await ban('discord:80351110224678912')
  await waitFor(({ userId }) => userId === 'discord:80351110224678912')
  expect(follower.isBanned('80351110224678912')).toBe(false)
  await fixture.setPlatform('discord')
  await ban('discord:80351110224678913')
  await waitFor(({ userId }) => userId.endsWith('80351110224678913'))
  expect(follower.isBanned('80351110224678912')).toBe(true)
})
