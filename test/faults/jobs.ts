import { seededRandom } from '../bench/seeded-random.ts'
import { APPEAL_CODES } from '../support/appeal-codes.ts'
import type { FaultTest } from './support/fault.ts'
import { type KilledServer, type ResponseBody, startKilledServer } from './support/killed-server.ts'

/** The longest time that a server runs before the first kill, in milliseconds: a fraction of what a job takes. */
const MAX_UPTIME_MS = 50
const UPTIME_GROWTH = 1.1
const CONCURRENCY = 32

/** D1: the server is killed repeatedly while it archives, copies and rolls back a workspace. */
export const jobs: FaultTest = {
  promise: 'D1',
  title: 'kill -9 during an archive, a copy and a roll-back',
  async run(plan, log) {
    const players = plan.short ? 400 : 4000
    const failures: string[] = []
    const server = await startKilledServer(seededRandom(plan.seed))
    const { workspaceId: id, send } = server

    const readJob = async () => (await send('GET', `/api/workspaces?id=${id}`)).job
    const hasJobEnded = async () => (await readJob()).finishedAt !== null
    /** Starts a job, and kills the server until it has ended. @returns the response that started it */
    const runWithKills = async (body: object): Promise<ResponseBody> => {
      const started = await send('POST', '/api/workspaces', body)
      await server.killUntil(hasJobEnded, { maxUptimeMs: MAX_UPTIME_MS, growth: UPTIME_GROWTH })
      const { kind, state, error } = await readJob()
      if (state !== 'succeeded') failures.push(`the job ${kind} has ${state}: ${error}`)
      return started
    }
    const runWithoutKills = async (body: object) => {
      await send('POST', '/api/workspaces', body)
      await server.waitUntil(hasJobEnded)
    }
    const moderate = (bodies: readonly object[]) =>
      mapInParallel(bodies, (body) =>
        send('POST', '/api/moderation', { workspaceId: id, ...body }).then(({ record }) => record),
      )
    const compare = async (title: string, workspaceId: string, expected: string) => {
      const actual = await readContent(server, workspaceId)
      if (actual !== expected) failures.push(`${title} differs from the original`)
    }

    try {
      const userIds = Array.from({ length: players }, (_, index) => `player-${index}`)
      const bans = await moderate(
        userIds.map((userId) => ({ action: 'ban', userId, reason: `${userId} exploits`.repeat(20) })),
      )
      await moderate(bans.map((ban) => ({ action: 'comment', id: ban.id, value: 'Seen by two of us' })))
      const original = await readContent(server, id)
      log(`${players} players banned`)

      const { archive } = await runWithKills({ id, archive: true })
      await compare('the archived workspace', id, original)
      log(`archived after ${server.countKills()} kills`)
      const copied = await runWithKills({ fromArchive: archive.id, groupName: 'Copy' })
      await compare('the copy', copied.workspace.id, original)
      log(`copied after ${server.countKills()} kills`)

      await send('POST', '/api/workspaces', { id, archive: false })
      const changedPlayers = userIds.filter((_, index) => index % 2 === 0)
      await moderate(changedPlayers.map((userId) => ({ action: 'unban', userId })))
      await moderate(userIds.map((userId) => ({ action: 'ban', userId, reason: 'Again' })))
      const changed = await readContent(server, id)
      await runWithoutKills({ id, archive: true })
      const rolledBack = await runWithKills({ id, fromArchive: archive.id })
      await compare('the rolled back workspace', id, original)
      log(`rolled back after ${server.countKills()} kills`)

      await runWithoutKills({ id, archive: true })
      await runWithKills({ id, fromArchive: rolledBack.archive.id })
      await compare('the workspace after the roll-back was undone', id, changed)
    } finally {
      await server.end()
    }
    failures.push(...(await server.checkAndRemove()))
    return { stats: { players, kills: server.countKills() }, failures }
  },
}

/** Every record of a workspace with its versions, and the bans in force, without the ID of the workspace. */
async function readContent({ send, readAll }: KilledServer, workspaceId: string): Promise<string> {
  const path = `/api/moderation?workspaceId=${workspaceId}`
  const records = await readAll(path, 'records')
  const bans = await readAll(`${path}&banList=true`, 'bans')
  const details = await mapInParallel(records, async ({ id }) => [
    (await send('GET', `${path}&id=${id}`)).record,
    (await send('GET', `${path}&id=${id}&limit=200`)).versions,
  ])
  // The bans of a copy have appeal codes of their own.
  return JSON.stringify([records, bans, details])
    .replaceAll(workspaceId, 'here')
    .replaceAll(APPEAL_CODES, 'code')
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
