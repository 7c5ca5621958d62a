import { describe, expect, test } from 'bun:test'
import { findPlayer, isCheck, isPlaying, useRobloxFixture } from './roblox-fixture.ts'

const fixture = useRobloxFixture()

/** A game with a player in it, of a workspace with a default platform. */
async function openGameWithPlayer(platform: string) {
  await fixture.setPlatform(platform)
  return fixture.openGameWithPlayer()
}

// On `xbox`, a number is the ID of another player, so those of Roblox are stored with the name of their platform.
describe.each(['roblox', 'steam', 'xbox'])('where %s is the default platform', (platform) => {
  test('a player in the game is kicked as soon as they are banned, by a request that waits for it', async () => {
    const { game, userId } = await openGameWithPlayer(platform)
    const requestCount = game.requests.length
    const { userId: stored } = await fixture.moderate('ban', `roblox:${userId}`)
    expect(stored).toBe(platform === 'xbox' ? `roblox:${userId}` : String(userId))
    await game.waitFor(() => game.kicks.length > 0)
    expect(game.kicks.map((kick) => kick.userId)).toEqual([String(userId)])
    expect(game.requests).toHaveLength(requestCount)
  })

  test('the game hears when a mute begins and ends', async () => {
    const { game, userId, player } = await openGameWithPlayer(platform)
    await game.run(`
      heard = {}
      reeve:onSanction(function(muted, sanction, isInForce)
        table.insert(heard, muted.UserId .. " " .. sanction.userId .. " " .. tostring(isInForce))
      end)
    `)
    await fixture.moderate('mute', `roblox:${userId}`)
    await game.waitFor(async () => (await game.read('#heard')) === '1')
    expect(await game.read(`reeve:isMuted(${player})`)).toBe('true')
    await fixture.moderate('unmute', `roblox:${userId}`)
    await game.advance(6)
    expect(await game.read('table.concat(heard, ", ")')).toBe(
      `${userId} ${userId} true, ${userId} ${userId} false`,
    )
  })

  test('a banned player who joins is kicked', async () => {
    const { game } = await openGameWithPlayer(platform)
    const userId = fixture.createUserId()
    await fixture.moderate('ban', `roblox:${userId}`)
    await game.join(userId)
    await game.advance(1)
    expect(game.kicks.map((kick) => kick.userId)).toEqual([String(userId)])
  })

  test('staff act in the game on the player of Roblox, and for themselves', async () => {
    const { game, userId, player } = await openGameWithPlayer(platform)
    await game.join(7, 'Shedletsky')
    await game.run(`record, problem = reeve:mute(${player}, "Spam", { moderator = ${findPlayer(7)} })`)
    await game.settle()
    expect(await game.read('problem')).toBe('nil')
    const toStored = (id: number) => (platform === 'xbox' ? `roblox:${id}` : String(id))
    expect(await fixture.listRecords(`roblox:${userId}`)).toMatchObject([
      { userId: toStored(userId), actorPlatformUserId: toStored(7) },
    ])
    expect(await game.read(`reeve:isMuted(${player})`)).toBe('true')
    await game.run(`reeve:unmute(${player})`)
    await game.settle()
    expect(await game.read(`reeve:isMuted(${player})`)).toBe('false')
  })
})

test('a player of a platform that was never the default, with the same number, is another player', async () => {
  const { game, userId } = await openGameWithPlayer('steam')
  await fixture.moderate('ban', `psn:${userId}`)
  await game.advance(70)
  expect([game.kicks, await isPlaying(game, userId)]).toEqual([[], true])
})

test('a number that begins with 0 is the ID of another player', async () => {
  const { game, userId, player } = await openGameWithPlayer('roblox')
  const last = fixture.createUserId()
  await game.join(last)
  const isMuted = async (one: string) => (await game.read(`reeve:isMuted(${one})`)) === 'true'
  const advanceUntilMuted = async (one: string) => {
    while (!(await isMuted(one))) await game.advance(1)
  }
  await fixture.moderate('mute', userId)
  await advanceUntilMuted(player)
  const other = `0${userId}`
  expect((await fixture.moderate('mute', other)).userId).toBe(other)
  await fixture.moderate('unmute', other)
  await fixture.moderate('ban', other)
  await fixture.moderate('mute', last)
  await advanceUntilMuted(findPlayer(last))
  expect([game.kicks, await isPlaying(game, userId)]).toEqual([[], true])
  expect(await isMuted(player)).toBe(true)
})

test('a test server in Studio, whose players have negative IDs, is checked', async () => {
  const { game } = await openGameWithPlayer('steam')
  await game.join(-1)
  await game.advance(1)
  expect(game.requests.filter(isCheck).map(({ body }) => JSON.parse(body ?? '').userIds)).toContain('-1')
  expect(game.warnings).toEqual([])
})
