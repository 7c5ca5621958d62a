import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

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

/** The runtimes that clients support, each with the command that runs a program in it. */
export const RUNTIMES: readonly (readonly [name: string, command: readonly string[]])[] = [
  ['Node', ['node']],
  ['Bun', [process.execPath]],
  ['Deno', DENO_RUN],
]
