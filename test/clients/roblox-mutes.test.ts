import { describe, expect, test } from 'bun:test'
import { useRobloxFixture } from './roblox-fixture.ts'

const fixture = useRobloxFixture()

describe('a mute', () => {
  test('is known at once in the game, and its listeners hear when it begins, changes and ends', async () => {
    const { game, userId, player } = await fixture.openGameWithPlayer()
    const isMuted = () => game.read(`reeve:isMuted(${player})`)
    await game.run(`
      heard = {}
      remove = reeve:onSanction(function(player, sanction, isInForce)
        table.insert(heard, player.UserId .. " " .. sanction.kind .. " " .. tostring(isInForce))
      end)
      reeve:onSanction(function()
        error("A listener that fails does not affect the others")
      end)
    `)
    const heard = () => game.read('table.concat(heard, ", ")')
    game.expectError('A listener that fails')
    expect(await isMuted()).toBe('false')
    await fixture.moderate('mute', userId, { durationSeconds: '600' })
    await game.advance(30)
    expect(await isMuted()).toBe('true')
    await fixture.moderate('unmute', userId)
    await game.advance(30)
    expect(await isMuted()).toBe('false')
    expect(await heard()).toBe(`${userId} mute true, ${userId} mute false`)
    await game.run('remove()')
    await fixture.moderate('mute', userId, { durationSeconds: '100' })
    await game.advance(30)
    expect(await isMuted()).toBe('true')
    expect(await heard()).toBe(`${userId} mute true, ${userId} mute false`)
  })

  test('ends in the game when it expires, by the clock of the server', async () => {
    const { game, player } = await fixture.openGameWithPlayer(-5000)
    await game.run(`reeve:mute(${player}, "Spam", { durationSeconds = 100 })`)
    await game.settle()
    // No request says so: only the time passes.
    game.setFault(() => ({ raise: 'HttpError: ConnectFail' }))
    await game.advance(98)
    expect(await game.read(`reeve:isMuted(${player})`)).toBe('true')
    await game.advance(4)
    expect(await game.read(`reeve:isMuted(${player})`)).toBe('false')
  })
})
