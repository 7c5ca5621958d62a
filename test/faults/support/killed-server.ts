import { BINARY, startServer } from '../../support/program.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { checkDataFolder } from './database-checks.ts'
import { summarizeFindings } from './fault.ts'
import { populate } from './populate.ts'
import { LOAD_SERVER_ENV } from './server-settings.ts'
import { createAuthHeaders } from './write-load.ts'

const PAGE_SIZE = 200
/** How often to look whether work has ended that no kill interrupts, in milliseconds. */
const POLL_MS = 50

// biome-ignore lint/suspicious/noExplicitAny: bodies of every shape
export type ResponseBody = any

/**
 * Starts a server with one workspace on a folder of its own, to be killed while it works in the background.
 * @param random decides when
 */
export async function startKilledServer(random: () => number) {
  const folder = temporaryFolder()
  const [workspace] = await populate(folder.data, 1)
  if (!workspace) throw new Error('there is no workspace')
  const headers = { ...createAuthHeaders(workspace, 'session'), 'content-type': 'application/json' }
  const start = () => startServer({ dataDir: folder.data, program: BINARY, env: LOAD_SERVER_ENV })
  let server = await start()
  let kills = 0

  /** Sends a request as the owner. @throws Error unless it succeeds */
  async function send(method: string, path: string, body?: object): Promise<ResponseBody> {
    const response = await fetch(`${server.url}${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    })
    const result: ResponseBody = await response.json()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(result)}`)
    return result
  }

  const end = async () => {
    server.signal('SIGKILL')
    await server.exited
  }
  const kill = async (checkStopped?: () => Promise<void>) => {
    await end()
    kills += 1
    await checkStopped?.()
    server = await start()
  }

  return {
    workspaceId: workspace.workspaceId,
    /** The data of the server. */
    data: folder.data,
    send,
    /** Reads every page of a list, which the response has under a name. @param path with a query */
    async readAll(path: string, name: string): Promise<ResponseBody[]> {
      const rows: ResponseBody[] = []
      for (let cursor = ''; ; ) {
        const page = await send('GET', `${path}&limit=${PAGE_SIZE}${cursor}`)
        rows.push(...page[name])
        if (page.nextCursor === null) return rows
        cursor = `&cursor=${page.nextCursor}`
      }
    },
    /**
     * Kills and restarts the server until work has ended.
     * @param maxUptimeMs the longest time that it runs before the first kill: a fraction of what the work takes
     * @param growth how much longer it may run before each further kill, so that the work ends on a busy machine too
     * @param checkStopped looks at the data while no server has them open
     */
    async killUntil(
      hasEnded: () => Promise<boolean>,
      {
        maxUptimeMs,
        growth,
        checkStopped,
      }: { maxUptimeMs: number; growth: number; checkStopped?: () => Promise<void> },
    ): Promise<void> {
      for (let limitMs = maxUptimeMs; ; limitMs *= growth) {
        await Bun.sleep(random() * limitMs)
        if (await hasEnded()) return
        await kill(checkStopped)
      }
    },
    async waitUntil(hasEnded: () => Promise<boolean>): Promise<void> {
      while (!(await hasEnded())) await Bun.sleep(POLL_MS)
    },
    /** Kills and restarts the server once. */
    kill,
    countKills: (): number => kills,
    end,
    /** Checks the data of the ended server, and removes them. @returns what is wrong */
    async checkAndRemove(): Promise<string[]> {
      const { faults } = await checkDataFolder(folder.data, [])
      folder.remove()
      return summarizeFindings('faults', faults)
    },
  }
}

export type KilledServer = Awaited<ReturnType<typeof startKilledServer>>
