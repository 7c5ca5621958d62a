import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, spawnIdentity } from './server-process.ts'

/** The path of PgBouncer on Debian. */
const PROGRAM = '/usr/sbin/pgbouncer'

/** Fewer than the clients, so that each gets changing connections. */
const POOL_SIZE = 3

/**
 * Starts PgBouncer in transaction mode for the server of a database.
 * @param maxClients how many connections it accepts
 * @returns the URL of the database through it, and what stops it
 */
export async function startPooler(url: string, maxClients = 100): Promise<{ url: string; stop: () => void }> {
  const { hostname, port, username, password, pathname } = new URL(url)
  const folder = mkdtempSync(join(tmpdir(), 'reeve-pooler-'))
  const poolerPort = freePort()
  const settings = join(folder, 'pgbouncer.ini')
  writeFileSync(
    settings,
    `[databases]
* = host=${hostname} port=${port} user=${username} password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${poolerPort}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${POOL_SIZE}
max_client_conn = ${maxClients}
`,
  )
  if (spawnIdentity.uid !== undefined)
    for (const path of [folder, settings]) chownSync(path, spawnIdentity.uid, spawnIdentity.gid)
  const child = Bun.spawn([PROGRAM, settings], { stdout: 'ignore', stderr: 'pipe', ...spawnIdentity })
  const output = new Response(child.stderr).text()
  const isListening = () =>
    Bun.connect({ hostname: '127.0.0.1', port: poolerPort, socket: { data() {} } }).then(
      (socket) => {
        socket.end()
        return true
      },
      () => false,
    )
  while (!(await isListening())) {
    if (child.exitCode !== null) throw new Error(`PgBouncer exited: ${await output}`)
  }
  return {
    url: `postgres://${username}@127.0.0.1:${poolerPort}${pathname}`,
    stop() {
      child.kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
