import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../support/program.ts'

test('CI installs the Bun of this repository, and only files with a known hash', () => {
  const read = (path: string) => JSON.parse(readFileSync(join(ROOT, path), 'utf8'))
  const { packages } = read('.ci/bun/package-lock.json') as {
    packages: Record<
      string,
      { version?: string; integrity?: string; dependencies?: object; resolved?: string }
    >
  }
  const { '': root, ...locked } = packages
  const version = read('package.json').packageManager.replace('bun@', '')
  expect([root?.dependencies, read('.ci/bun/package.json').dependencies]).toEqual([
    { bun: version },
    { bun: version },
  ])
  for (const [name, { integrity, resolved, ...entry }] of Object.entries(locked))
    expect([name, entry.version, integrity, resolved]).toEqual([
      name,
      version,
      expect.stringMatching(/^sha512-/),
      undefined,
    ])
  const script = readFileSync(join(ROOT, '.ci/run'), 'utf8')
  expect(script).toContain('npm ci ')
  expect(script).not.toContain('npm install')
})
