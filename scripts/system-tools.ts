import { existsSync } from 'node:fs'
import { run } from './step.ts'

/** A program that tests use and npm does not have. */
interface Tool {
  /** Whose tests need it: "The browser tests". */
  readonly usedBy: string
  readonly name: string
  /** Where the tests look for it. */
  readonly path: string
  /** Its package in Debian. */
  readonly debianPackage: string
}

const tools: readonly Tool[] = [
  {
    usedBy: 'The browser tests',
    name: 'Chromium without a window',
    path: '/usr/bin/chromium-headless-shell',
    debianPackage: 'chromium-headless-shell',
  },
  {
    usedBy: 'The tests of poolers',
    name: 'PgBouncer',
    path: '/usr/sbin/pgbouncer',
    debianPackage: 'pgbouncer',
  },
  { usedBy: 'The tests of faults', name: 'strace', path: '/usr/bin/strace', debianPackage: 'strace' },
  { usedBy: 'The tests of replicas', name: 'nginx', path: '/usr/sbin/nginx', debianPackage: 'nginx-light' },
  { usedBy: 'The tests of TLS', name: 'openssl', path: '/usr/bin/openssl', debianPackage: 'openssl' },
]

const APT_GET = '/usr/bin/apt-get'

/**
 * Sees to it that the programs are there that tests use: as root on a Debian they are installed.
 * @returns whether all are there; where not, it has been said what to install
 */
export async function ensureTools(): Promise<boolean> {
  const missing = tools.filter(({ path }) => !existsSync(path))
  if (missing.length === 0) return true
  const packages = missing.map(({ debianPackage }) => debianPackage)
  const canInstall = process.getuid?.() === 0 && existsSync(APT_GET)
  if (!canInstall) {
    for (const { usedBy, name, path, debianPackage } of missing) {
      console.log(
        `✗ ${usedBy} need ${name} as ${path}: on Debian, \`apt-get install ${debianPackage}\` as root.`,
      )
    }
    return false
  }
  const advice = `Install ${missing.map(({ name, path }) => `${name} as ${path}`).join(' and ')} by hand, and try again.`
  const update = { title: 'Look for packages (apt-get update)', command: [APT_GET, 'update'], advice }
  const install = {
    title: `Install what tests need: ${packages.join(', ')}`,
    command: [APT_GET, 'install', '--yes', '--no-install-recommends', ...packages],
    advice,
  }
  return (await run(update)).ok && (await run(install)).ok && tools.every(({ path }) => existsSync(path))
}
