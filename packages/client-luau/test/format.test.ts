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

test('the declarations for the type checker have every method and function of the engine that the client uses', async () => {
  const read = (name: string) => Bun.file(join(ROOT, 'packages/client-luau', name)).text()
  const code = (await read('src/Reeve.luau')).replaceAll(/--.*$/gm, '')
  const declarations = await read('roblox.d.luau')
  const methods = [...code.matchAll(/\b(?!self\b)\w+:(\w+)\(/g)].map(([, name]) => name)
  const functions = [...code.matchAll(/\b(?:task|DateTime)\.(\w+)\(/g)].map(([, name]) => name)
  expect(methods).toContain('RequestAsync')
  expect(functions).toContain('fromIsoDate')
  for (const name of methods) expect(declarations).toContain(`function ${name}(self`)
  for (const name of functions) expect(declarations).toMatch(new RegExp(`^\\t${name}: `, 'm'))
})
