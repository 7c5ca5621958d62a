import { type NginxProxy, startNginx } from '../../support/nginx.ts'
import { BINARY, type RunningServer, startServer } from '../../support/program.ts'
import { LOAD_SERVER_ENV } from './server-settings.ts'

/** Several servers on one database behind nginx. */
export interface ReplicaSet {
  /** The URL of nginx. */
  readonly url: string
  readonly size: number
  /** The URL of a server, which stays the same across restarts. */
  readonly getUrl: (index: number) => string
  /** Kills a server. @returns a function that restarts it */
  readonly kill: (index: number) => Promise<() => Promise<void>>
  /** How many servers exited unexpectedly. */
  readonly unexpectedExits: () => number
  readonly stop: () => Promise<void>
}

export async function startReplicaSet(
  size: number,
  dataDir: string,
  databaseUrl: string,
): Promise<ReplicaSet> {
  const env = { ...LOAD_SERVER_ENV, REEVE_DATABASE_URL: databaseUrl }
  const stopping = new Set<RunningServer>()
  let unexpectedExits = 0

  async function start(flags: readonly string[]): Promise<RunningServer> {
    const server = await startServer({ dataDir, program: BINARY, env, flags })
    void server.exited.then(() => {
      if (!stopping.has(server)) unexpectedExits += 1
    })
    return server
  }
  async function stopServer(server: RunningServer, signal: NodeJS.Signals): Promise<void> {
    stopping.add(server)
    server.signal(signal)
    await server.exited
  }

  const servers = await Promise.all(Array.from({ length: size }, () => start([])))
  const urls = servers.map(({ url }) => url)
  const proxy: NginxProxy = await startNginx(urls)
  return {
    url: proxy.url,
    size,
    getUrl: (index) => urls[index] as string,
    async kill(index) {
      await stopServer(servers[index] as RunningServer, 'SIGKILL')
      return async () => {
        servers[index] = await start(['--port', new URL(urls[index] as string).port])
      }
    },
    unexpectedExits: () => unexpectedExits,
    async stop() {
      await proxy.stop()
      await Promise.all(servers.map((server) => stopServer(server, 'SIGTERM')))
    },
  }
}
