import { seededRandom } from '../bench/seeded-random.ts'
import { BINARY, startServer } from '../support/program.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { checkDataFolder } from './support/database-checks.ts'
import { type FaultTest, summarizeFindings } from './support/fault.ts'
import { populate, type WorkspaceCredentials } from './support/populate.ts'
import { LOAD_SERVER_ENV } from './support/server-settings.ts'
import { createAuthHeaders } from './support/write-load.ts'

/** The longest time that a server runs between two kills, in milliseconds: a fraction of what a job takes. */
const MAX_UPTIME_MS = 50
const CONCURRENCY = 32

// biome-ignore lint/suspicious/noExplicitAny: bodies of every shape
type ResponseBody = any

/** D1: the server is killed repeatedly while it archives, copies and rolls back a workspace. */
export const jobs: FaultTest = {
  promise: 'D1',
  title: 'kill -9 during an archive, a copy and a roll-back',
  async run(plan, log) {
    const random = seededRandom(plan.seed)
    const players = plan.short ? 400 : 4000
    const folder = temporaryFolder()
    const failures: string[] = []
    let kills = 0
    const [workspace] = await populate(folder.data, 1)
    if (!workspace) throw new Error('there is no workspace')
    const start = () => startServer({ dataDir: folder.data, program: BINARY, env: LOAD_SERVER_ENV })
    let server = await start()
    const { workspaceId: id } = workspace

    const send = async (method: string, path: string, body?: object): Promise<ResponseBody> => {
      const response = await fetch(`${server.url}${path}`, {
        method,
        headers: { ...createAuthHeaders(workspace, 'session'), 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      })
      const result: ResponseBody = await response.json()
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(result)}`)
      return result
    }
    const readJob = async () => (await send('GET', `/api/workspaces?id=${id}`)).job
    /** Starts a job, and kills the server until it has ended. @returns the response that started it */
    const runWithKills = async (body: object): Promise<ResponseBody> => {
      const started = await send('POST', '/api/workspaces', body)
      for (;;) {
        await Bun.sleep(random() * MAX_UPTIME_MS)
        const job = await readJob()
        if (job.finishedAt !== null) {
          if (job.state !== 'succeeded') failures.push(`the job ${job.kind} has ${job.state}: ${job.error}`)
          return started
        }
        server.signal('SIGKILL')
        await server.exited
        kills += 1
        server = await start()
      }
    }
    const runWithoutKills = async (body: object) => {
      const started = await send('POST', '/api/workspaces', body)
      while ((await readJob()).finishedAt === null) await Bun.sleep(MAX_UPTIME_MS)
      return started
    }
    const moderate = (bodies: readonly object[]) =>
      mapInParallel(bodies, (body) =>
        send('POST', '/api/moderation', { workspaceId: id, ...body }).then(({ record }) => record),
      )
    const compare = async (title: string, workspaceId: string, expected: string) => {
      const actual = await readContent(send, { ...workspace, workspaceId })
      if (actual !== expected) failures.push(`${title} differs from the original`)
    }

    try {
      const userIds = Array.from({ length: players }, (_, index) => `player-${index}`)
      const bans = await moderate(
        userIds.map((userId) => ({ action: 'ban', userId, reason: `${userId} exploits`.repeat(20) })),
      )
      await moderate(bans.map((ban) => ({ action: 'comment', id: ban.id, value: 'Seen by two of us' })))
      const original = await readContent(send, workspace)
      log(`${players} players banned`)

      const { archive } = await runWithKills({ id, archive: true })
      await compare('the archived workspace', id, original)
      log(`archived after ${kills} kills`)
      const copied = await runWithKills({ fromArchive: archive.id, groupName: 'Copy' })
      await compare('the copy', copied.workspace.id, original)
      log(`copied after ${kills} kills`)

      await send('POST', '/api/workspaces', { id, archive: false })
      const changedPlayers = userIds.filter((_, index) => index % 2 === 0)
      await moderate(changedPlayers.map((userId) => ({ action: 'unban', userId })))
      await moderate(userIds.map((userId) => ({ action: 'ban', userId, reason: 'Again' })))
      const changed = await readContent(send, workspace)
      await runWithoutKills({ id, archive: true })
      const rolledBack = await runWithKills({ id, fromArchive: archive.id })
      await compare('the rolled back workspace', id, original)
      log(`rolled back after ${kills} kills`)

      await runWithoutKills({ id, archive: true })
      await runWithKills({ id, fromArchive: rolledBack.archive.id })
      await compare('the workspace after the roll-back was undone', id, changed)
    } finally {
      server.signal('SIGKILL')
      await server.exited
    }
    failures.push(...summarizeFindings('faults', (await checkDataFolder(folder.data, [])).faults))
    folder.remove()
    return { stats: { players, kills }, failures }
  },
}

/** Every record of a workspace with its versions, and the bans in force, without the ID of the workspace. */
async function readContent(
  send: (method: string, path: string) => Promise<ResponseBody>,
  { workspaceId }: Pick<WorkspaceCredentials, 'workspaceId'>,
): Promise<string> {
  const readAll = async (query: string, name: string) => {
    const rows: ResponseBody[] = []
    for (let cursor = ''; ; ) {
      const page = await send('GET', `/api/moderation?workspaceId=${workspaceId}&limit=200${query}${cursor}`)
      rows.push(...page[name])
      if (page.nextCursor === null) return rows
      cursor = `&cursor=${page.nextCursor}`
    }
  }
  const records = await readAll('', 'records')
  const bans = await readAll('&banList=true', 'bans')
  const details = await mapInParallel(records, async ({ id }) => [
    (await send('GET', `/api/moderation?workspaceId=${workspaceId}&id=${id}`)).record,
    (await send('GET', `/api/moderation?workspaceId=${workspaceId}&id=${id}&limit=200`)).versions,
  ])
  return JSON.stringify([records, bans, details]).replaceAll(workspaceId, 'here')
}

/** Runs an asynchronous function on every item, a few at a time. */
async function mapInParallel<Item, Result>(
  items: readonly Item[],
  run: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  for (let start = 0; start < items.length; start += CONCURRENCY)
    results.push(...(await Promise.all(items.slice(start, start + CONCURRENCY).map(run))))
  return results
}
