import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { Config, formatCode, LuaVersion, OutputVerification } from '@johnnymorganz/stylua'

const ROOT = join(import.meta.dir, '../../..')

const patterns = ['packages/client-luau/src/*.luau', 'test/support/roblox/*.luau']
const listLuauFiles = () => patterns.flatMap((pattern) => [...new Bun.Glob(pattern).scanSync(ROOT)].sort())

/** Formats Luau as the default configuration of StyLua does. */
function format(code: string): string {
  const config = Config.new()
  config.syntax = LuaVersion.Luau
  return formatCode(code, config, undefined, OutputVerification.None)
}

test('every Luau file is formatted by StyLua', async () => {
  const files = listLuauFiles()
  expect(files).toContain('packages/client-luau/src/Reeve.luau')
  for (const file of files) {
    const code = await Bun.file(join(ROOT, file)).text()
    expect({ file, code }).toEqual({ file, code: format(code) })
  }
})

test('the client has the strict mode of Luau, in which Studio checks its types', async () => {
  const code = await Bun.file(join(ROOT, 'packages/client-luau/src/Reeve.luau')).text()
  expect(code).toStartWith('--!strict\n')
})
