import { type Front, startNginx } from '../../support/nginx.ts'
import { BINARY, type Running, serve } from '../../support/program.ts'
import { SERVER_ENVIRONMENT } from './server.ts'

/** Several servers over one database, behind nginx. */
export interface Fleet {
  /** Where callers find whichever answers. */
  readonly url: string
  readonly size: number
  /** The address of one of them, which stays the same over its lives. */
  readonly at: (index: number) => string
  /** Kills one of them. @returns starts it again, as whoever watches over it would */
  readonly kill: (index: number) => Promise<() => Promise<void>>
  /** How many ended without being told to. */
  readonly ended: () => number
  readonly stop: () => Promise<void>
}

export async function startFleet(size: number, dataDir: string, databaseUrl: string): Promise<Fleet> {
  const env = { ...SERVER_ENVIRONMENT, REEVE_DATABASE_URL: databaseUrl }
  const told = new Set<Running>()
  let ended = 0

  async function start(flags: readonly string[]): Promise<Running> {
    const server = await serve({ dataDir, program: BINARY, env, flags })
    void server.exited.then(() => {
      if (!told.has(server)) ended += 1
    })
    return server
  }
  async function end(server: Running, signal: NodeJS.Signals): Promise<void> {
    told.add(server)
    server.signal(signal)
    await server.exited
  }

  const servers = await Promise.all(Array.from({ length: size }, () => start([])))
  const urls = servers.map(({ url }) => url)
  const front: Front = await startNginx(urls)
  return {
    url: front.url,
    size,
    at: (index) => urls[index] as string,
    async kill(index) {
      await end(servers[index] as Running, 'SIGKILL')
      return async () => {
        servers[index] = await start(['--port', new URL(urls[index] as string).port])
      }
    },
    ended: () => ended,
    async stop() {
      await front.stop()
      await Promise.all(servers.map((server) => end(server, 'SIGTERM')))
    },
  }
}
