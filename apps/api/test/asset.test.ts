import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createEmbeddedAsset, toAsset } from '../src/asset.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'reeve-asset-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const SCRIPT = 'console.log(1)'
const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

test('a file whose first load failed is loaded again, and then cached', async () => {
  const path = join(folder, 'embedded.js')
  const getAsset = createEmbeddedAsset(path, 'js')
  await expect(getAsset()).rejects.toThrow()
  writeFileSync(path, SCRIPT)
  const asset = await getAsset()
  expect(decode(await asset.encode('identity'))).toBe(SCRIPT)
  expect(await getAsset()).toBe(asset)
})

test('an encoding of a built file that could not be read is read again, and then cached', async () => {
  const path = join(folder, 'built.js.br')
  const asset = toAsset({ name: 'built.js', br: path, gzip: path, identity: path })
  await expect(asset.encode('br')).rejects.toThrow()
  writeFileSync(path, SCRIPT)
  const bytes = await asset.encode('br')
  expect(decode(bytes)).toBe(SCRIPT)
  expect(await asset.encode('br')).toBe(bytes)
})
