import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { dependencies } from '../../release/package.json'
import { compileTarget } from '../../scripts/release/compile-target.ts'
import { findTargets, targets } from '../../scripts/release/targets.ts'
import { ROOT } from '../support/program.ts'
import { hasValidSignature, readHeader } from './headers.ts'

const HEADERS: Readonly<Record<string, ReturnType<typeof readHeader>>> = {
  'linux-x64': { format: 'ELF', architecture: 'x64', interpreter: '/lib64/ld-linux-x86-64.so.2' },
  'linux-arm64': { format: 'ELF', architecture: 'arm64', interpreter: '/lib/ld-linux-aarch64.so.1' },
  'linux-x64-musl': { format: 'ELF', architecture: 'x64', interpreter: '/lib/ld-musl-x86_64.so.1' },
  'linux-arm64-musl': { format: 'ELF', architecture: 'arm64', interpreter: '/lib/ld-musl-aarch64.so.1' },
  'macos-arm64': { format: 'Mach-O', architecture: 'arm64', interpreter: '/usr/lib/dyld' },
  'macos-x64': { format: 'Mach-O', architecture: 'x64', interpreter: '/usr/lib/dyld' },
}

test('a release is built with the runtimes of the version of Bun that Reeve requires', async () => {
  const { packageManager } = (await Bun.file(join(ROOT, 'package.json')).json()) as { packageManager: string }
  const expected = targets.map(({ runtime }) => [`@oven/bun-${runtime}`, packageManager.replace('bun@', '')])
  expect(Object.entries(dependencies).sort()).toEqual(expected.sort() as [string, string][])
})

test('an unknown target is rejected with the list of those that exist', () => {
  expect(() => findTargets(['windows-x64'])).toThrow(
    'There is no target "windows-x64". The targets are linux-x64, linux-arm64, linux-x64-musl, linux-arm64-musl, macos-arm64, macos-x64.',
  )
})

for (const target of targets) {
  test(`the binary for ${target.name} is an executable for that platform`, async () => {
    const { binary } = await compileTarget(target)
    expect(readHeader(binary)).toEqual(HEADERS[target.name] as ReturnType<typeof readHeader>)
    // Without a valid signature, macOS ends the program.
    if (target.name.startsWith('macos')) expect(hasValidSignature(binary)).toBe(true)
  }, 60_000)
}
