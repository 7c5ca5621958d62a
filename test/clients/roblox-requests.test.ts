import { describe, expect, test } from 'bun:test'
import { findBusiestMinute, isPoll, listTimes, useRobloxFixture } from './roblox-fixture.ts'

const fixture = useRobloxFixture()

test('no minute has more than 30 requests, whatever happens in the game and to its requests', async () => {
  const faults = [
    ...[undefined, { raise: 'HttpError: Timedout' }, { status: 429 }, { status: 503 }, undefined],
    ...[{ status: 304 }, undefined, { raise: 'Number of requests exceeded limit' }, undefined, undefined],
  ]
  let count = 0
  const game = await fixture.openGame('', () => faults[count++ % faults.length])
  for (let second = 0; second < 300; second += 2) {
    const userId = fixture.createUserId()
    await game.join(userId)
    if (second % 6 === 0) await game.run(`reeve:warn(${userId}, "Spam")`)
    if (second % 4 === 0) await fixture.moderate('mute', userId)
    await game.advance(2)
  }
  expect(findBusiestMinute(game)).toBeLessThanOrEqual(30)
  // The limit was reached, so it was tested.
  expect(findBusiestMinute(game)).toBeGreaterThan(25)
  game.setFault(() => undefined)
  // The actions that wait are sent.
  await game.advance(150)
  const requestCount = game.requests.length
  await game.advance(600)
  // Nothing happens any more: each minute has a check, and 2.4 requests that wait for changes.
  expect(game.requests.length - requestCount).toBeLessThanOrEqual(10 + 25)
}, 60_000)

test('the log has a warning about each outage, also if the last one had the same reason', async () => {
  const game = await fixture.openGame()
  await game.join(fixture.createUserId())
  for (let outage = 1; outage <= 2; outage++) {
    game.setFault(() => ({ status: 503 }))
    await game.advance(150)
    game.setFault(() => undefined)
    await game.advance(150)
    expect(game.warnings.filter((text) => text.includes('Players are not checked'))).toHaveLength(outage)
    expect(game.warnings.filter((text) => text.includes('Changes arrive late'))).toHaveLength(outage)
  }
})

describe('while the game records more actions than a minute has requests for', () => {
  /** @returns a game that has just begun to warn 100 players */
  async function openBusyGame(config?: string) {
    const game = await fixture.openGame(config)
    await game.advance(5)
    const userId = fixture.createUserId()
    await game.run(`
      recordedCount = 0
      for index = 1, 100 do
        task.spawn(function()
          if reeve:warn(${userId}, "Spam") then
            recordedCount += 1
          end
        end)
      end
    `)
    return game
  }

  test('a banned player who joins is kicked within seconds', async () => {
    const game = await openBusyGame()
    const [first, second] = [fixture.createUserId(), fixture.createUserId()]
    for (const userId of [first, second]) await fixture.moderate('ban', userId)
    await game.join(first)
    await game.advance(2)
    expect(game.kicks.map((kick) => kick.userId)).toEqual([String(first)])
    // Now of the actions that had to wait for a minute.
    await game.advance(59)
    await game.join(second)
    await game.advance(10)
    expect(game.kicks.map((kick) => kick.userId)).toEqual([first, second].map(String))
  })

  test('everybody who joins is checked in time, changes are followed, and all actions are recorded', async () => {
    const game = await openBusyGame('onUnknown = "kick"')
    const userIds = Array.from({ length: 40 }, fixture.createUserId)
    for (const userId of userIds) {
      await game.join(userId)
      await game.advance(5)
    }
    expect(game.kicks).toEqual([])
    const polls = listTimes(game, isPoll)
    expect(Math.max(...polls.slice(1).map((at, index) => at - (polls[index] ?? 0)))).toBeLessThan(60)
    await game.advance(400)
    expect(await game.read('recordedCount')).toBe('100')
    expect(findBusiestMinute(game)).toBeLessThanOrEqual(30)
  })

  test('everybody who joins is checked in time even if many had joined before', async () => {
    const game = await fixture.openGame('onUnknown = "kick"')
    const joinFor = async (seconds: number) => {
      for (let second = 0; second < seconds; second += 3) {
        await game.join(fixture.createUserId())
        await game.advance(3)
      }
    }
    await joinFor(60)
    const userId = fixture.createUserId()
    await game.run(`for index = 1, 100 do task.spawn(reeve.warn, reeve, ${userId}, "Spam") end`)
    await joinFor(60)
    expect(game.kicks).toEqual([])
    expect(await fixture.listRecords(userId)).not.toEqual([])
  })
})
