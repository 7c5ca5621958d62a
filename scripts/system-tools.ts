import { existsSync } from 'node:fs'
import { run } from './step.ts'

/** A system program that tests require. */
interface Tool {
  /** The tests that require it, such as "The browser tests". */
  readonly usedBy: string
  readonly name: string
  /** The path that the tests use. */
  readonly path: string
  /** Its Debian package. */
  readonly debianPackage: string
}

const tools: readonly Tool[] = [
  {
    usedBy: 'The browser tests',
    name: 'headless Chromium',
    path: '/usr/bin/chromium-headless-shell',
    debianPackage: 'chromium-headless-shell',
  },
  {
    usedBy: 'The tests in Firefox',
    name: 'Firefox ESR',
    path: '/usr/bin/firefox-esr',
    debianPackage: 'firefox-esr',
  },
  {
    usedBy: 'The tests in WebKit',
    name: "WebKitGTK's WebDriver and MiniBrowser",
    path: '/usr/bin/WebKitWebDriver',
    debianPackage: 'webkit2gtk-driver',
  },
  { usedBy: 'The tests in WebKit', name: 'Xvfb', path: '/usr/bin/Xvfb', debianPackage: 'xvfb' },
  {
    usedBy: 'The connection pooler tests',
    name: 'PgBouncer',
    path: '/usr/sbin/pgbouncer',
    debianPackage: 'pgbouncer',
  },
  { usedBy: 'The fault tests', name: 'strace', path: '/usr/bin/strace', debianPackage: 'strace' },
  { usedBy: 'The replica tests', name: 'nginx', path: '/usr/sbin/nginx', debianPackage: 'nginx-light' },
  {
    usedBy: 'The fail2ban test',
    name: 'fail2ban',
    path: '/usr/bin/fail2ban-regex',
    debianPackage: 'fail2ban',
  },
  { usedBy: 'The proxy tests', name: 'curl', path: '/usr/bin/curl', debianPackage: 'curl' },
  { usedBy: 'The proxy tests', name: 'Caddy', path: '/usr/bin/caddy', debianPackage: 'caddy' },
  {
    usedBy: 'The tests of metrics and alerts',
    name: 'Prometheus',
    path: '/usr/bin/prometheus',
    debianPackage: 'prometheus',
  },
  { usedBy: 'The completion tests', name: 'zsh', path: '/usr/bin/zsh', debianPackage: 'zsh' },
  { usedBy: 'The completion tests', name: 'fish', path: '/usr/bin/fish', debianPackage: 'fish' },
  { usedBy: 'The TLS tests', name: 'openssl', path: '/usr/bin/openssl', debianPackage: 'openssl' },
  {
    usedBy: 'The tests of the guides',
    name: "PostgreSQL's createuser and createdb",
    path: '/usr/bin/createdb',
    debianPackage: 'postgresql-client',
  },
  {
    usedBy: 'The tests of the guides',
    name: 'Python',
    path: '/usr/bin/python3',
    debianPackage: 'python3',
  },
  { usedBy: 'The release tests', name: 'QEMU', path: '/usr/bin/qemu-aarch64', debianPackage: 'qemu-user' },
  {
    usedBy: 'The release tests',
    name: 'the C library for arm64',
    path: '/usr/aarch64-linux-gnu/lib/libc.so.6',
    debianPackage: 'libc6-arm64-cross',
  },
]

const APT_GET = '/usr/bin/apt-get'

/**
 * Checks that the system programs for the tests are installed. Installs missing ones when run as root on Debian.
 * @returns whether all are installed; if not, instructions have been printed
 */
export async function ensureTools(): Promise<boolean> {
  const missing = tools.filter(({ path }) => !existsSync(path))
  if (missing.length === 0) return true
  const packages = missing.map(({ debianPackage }) => debianPackage)
  const canInstall = process.getuid?.() === 0 && existsSync(APT_GET)
  if (!canInstall) {
    for (const { usedBy, name, path, debianPackage } of missing) {
      console.log(
        `✗ ${usedBy} require ${name} at ${path}. On Debian, run \`apt-get install ${debianPackage}\` as root.`,
      )
    }
    return false
  }
  const advice = `Install ${missing.map(({ name, path }) => `${name} at ${path}`).join(' and ')} manually, and try again.`
  const update = { title: 'Update the package lists (apt-get update)', command: [APT_GET, 'update'], advice }
  const install = {
    title: `Install system programs for the tests: ${packages.join(', ')}`,
    command: [APT_GET, 'install', '--yes', '--no-install-recommends', ...packages],
    advice,
  }
  return (await run(update)).ok && (await run(install)).ok && tools.every(({ path }) => existsSync(path))
}
