import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, identity } from './server-process.ts'

/** PgBouncer, as Debian installs it. */
const PROGRAM = '/usr/sbin/pgbouncer'

/** Fewer than those who call, so that each of them gets now one connection, now another. */
const CONNECTIONS = 3

/**
 * Puts PgBouncer before the server of a database, lending connections for single transactions.
 * @returns the address of the same database by way of it, and what ends it
 */
export async function poolerBefore(url: string): Promise<{ url: string; stop: () => void }> {
  const { hostname, port, username, password, pathname } = new URL(url)
  const folder = mkdtempSync(join(tmpdir(), 'reeve-pooler-'))
  const own = freePort()
  const settings = join(folder, 'pgbouncer.ini')
  writeFileSync(
    settings,
    `[databases]
* = host=${hostname} port=${port} user=${username} password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${CONNECTIONS}
`,
  )
  if (identity.uid !== undefined)
    for (const path of [folder, settings]) chownSync(path, identity.uid, identity.gid)
  const child = Bun.spawn([PROGRAM, settings], { stdout: 'ignore', stderr: 'pipe', ...identity })
  const said = new Response(child.stderr).text()
  const isUp = () =>
    Bun.connect({ hostname: '127.0.0.1', port: own, socket: { data() {} } }).then(
      (socket) => {
        socket.end()
        return true
      },
      () => false,
    )
  while (!(await isUp())) {
    if (child.exitCode !== null) throw new Error(`PgBouncer ended: ${await said}`)
  }
  return {
    url: `postgres://${username}@127.0.0.1:${own}${pathname}`,
    stop() {
      child.kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
