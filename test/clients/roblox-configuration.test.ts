import { describe, expect, test } from 'bun:test'
import { useRobloxFixture } from './roblox-fixture.ts'

const fixture = useRobloxFixture()

describe('a configuration that is not valid', () => {
  test.each([
    ['url = "reeve.example.com"', 'url must be the address of Reeve, such as https://reeve.example.com'],
    ['workspaceId = ""', 'workspaceId is missing: the portal shows it below Connect your game'],
    ['key = ""', 'key is missing: pass HttpService:GetSecret("reeve")'],
    ['onUnknown = "stop"', 'onUnknown must be "allow", "hold" or "kick"'],
  ])('%s raises an error that says what to do', async (field, message) => {
    const game = await fixture.openGame()
    await game.run(`
      local Reeve = require(game.ServerScriptService.Reeve)
      local config = { url = "https://x.example", workspaceId = "w", key = "k" }
      for name, value in { ${field} } do
        config[name] = value
      end
      isValid, message = pcall(Reeve.start, config)
    `)
    expect(await game.read('isValid')).toBe('false')
    expect(await game.read('message')).toEndWith(`: ${message}`)
  })
})
