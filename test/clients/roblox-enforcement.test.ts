import { describe, expect, test } from 'bun:test'
import type { SentRequest } from '../support/roblox/game-server.ts'
import { findPlayer, isCheck, isPlaying, isPoll, useRobloxFixture } from './roblox-fixture.ts'

const fixture = useRobloxFixture()

describe('a player who leaves before the response to their check arrives', () => {
  /** @returns a game in which a player has left and joined again while their check was in progress */
  async function openRejoined(userId: number, isQuick: boolean) {
    const game = await fixture.openGame()
    await game.advance(5)
    await game.join(userId)
    // Sends the check. Its response arrives when the clock moves.
    await game.run('return')
    expect(game.requests.filter(isCheck)).toHaveLength(1)
    await game.leave(userId)
    if (!isQuick) await game.advance(1)
    await game.join(userId)
    await game.advance(2)
    return game
  }

  test.each([false, true])('is kicked when they join again, even at once: %p', async (isQuick) => {
    const userId = fixture.createUserId()
    await fixture.moderate('ban', userId)
    const game = await openRejoined(userId, isQuick)
    expect(game.kicks.map((kick) => kick.userId)).toEqual([String(userId)])
    expect(await isPlaying(game, userId)).toBe(false)
  })

  test.each([false, true])('is muted when they join again, even at once: %p', async (isQuick) => {
    const userId = fixture.createUserId()
    await fixture.moderate('mute', userId)
    const game = await openRejoined(userId, isQuick)
    const isMuted = `reeve:isMuted(${findPlayer(userId)})`
    expect(await game.read(isMuted)).toBe('true')
    // Now of a check whose response says that nothing has changed.
    await game.advance(10)
    await game.run(`reeve:check(${findPlayer(userId)})`)
    await game.leave(userId)
    await game.join(userId)
    await game.advance(2)
    expect(await game.read(isMuted)).toBe('true')
  })
})

test.each([
  ['raises an error', 'error("no text")', 'no text'],
  ['returns no text', 'return nil', 'it returned a nil, not a string'],
])('banned players are kicked with the standard text if `banMessage` %s', async (_what, code, problem) => {
  const [joining, playing, later] = [1, 2, 3].map(fixture.createUserId)
  await fixture.moderate('ban', joining ?? 0)
  const game = await fixture.openGame(`banMessage = function(ban): any ${code} end`)
  await game.join(playing ?? 0)
  await game.join(joining ?? 0)
  await game.advance(2)
  await fixture.moderate('ban', playing ?? 0)
  await game.waitFor(() => game.kicks.length > 1)
  // Both the checks and the feed continue.
  await fixture.moderate('ban', later ?? 0)
  await game.join(later ?? 0)
  await game.advance(5)
  expect(game.kicks.map(({ userId }) => userId)).toEqual([joining, playing, later].map(String))
  for (const { message } of game.kicks) expect(message).toStartWith('You are banned.\nReason: Exploiting\n')
  expect(game.warnings).toHaveLength(1)
  expect(game.warnings[0]).toContain('[Reeve] banMessage failed, so banned players read the standard text: ')
  expect(game.warnings[0]).toContain(problem)
})

test('the check of a player who has left says that they are banned or muted', async () => {
  for (const action of ['ban', 'mute']) {
    const userId = fixture.createUserId()
    const game = await fixture.openGame()
    await game.join(userId)
    await game.advance(2)
    const { caseNumber } = await fixture.moderate(action, userId)
    await game.run(`
      local player = ${findPlayer(userId)}
      game:GetService("Players").PlayerRemoving:Connect(function()
        task.defer(function()
          status = reeve:check(player)
        end)
      end)
    `)
    await game.leave(userId)
    await game.advance(2)
    expect(await game.read('status.isKnown')).toBe('true')
    expect(await game.read(`status.${action} and status.${action}.caseNumber`)).toBe(caseNumber)
  }
})

test.each([
  ['the change', () => undefined],
  ['the check of all players', (request: SentRequest) => (isPoll(request) ? { status: 503 } : undefined)],
])('a corrected reason of a mute reaches the game with %s, and its listeners once', async (_, fault) => {
  const userId = fixture.createUserId()
  const { id } = await fixture.moderate('mute', userId, { reason: 'Cheater' })
  const game = await fixture.openGame('', fault)
  await game.join(userId)
  await game.advance(5)
  await game.run(`
    heard = {}
    reeve:onSanction(function(_, mute, isInForce)
      table.insert(heard, mute.reason .. " " .. tostring(isInForce))
    end)
  `)
  await fixture.moderate('edit', userId, { id, userId: undefined, reason: 'Spam' })
  await game.advance(200)
  expect(await game.read('table.concat(heard, ", ")')).toBe('Spam true')
  await game.run(`status = reeve:check(${findPlayer(userId)})`)
  await game.advance(5)
  expect(await game.read('status.mute.reason')).toBe('Spam')
  expect(await game.read('status.mute.message')).toContain('Reason: Spam')
})
