import { inspectDataFolder, statement } from '@reeve/db'
import { seededRandom } from '../bench/seeded-random.ts'
import { type FaultTest, summarizeFindings } from './support/fault.ts'
import { type KilledServer, type ResponseBody, startKilledServer } from './support/killed-server.ts'

/** The maximum of one batch. */
const PLAYERS = 500
/** How many of them are banned before, so that the batch replaces their bans. */
const BANNED_BEFORE = 40
/** The longest time that a server runs before the first kill, in milliseconds: a fraction of what a batch takes. */
const MAX_UPTIME_MS = 150
const UPTIME_GROWTH = 1.3
/** The longest time between the first player of a batch and the kill after which it is cancelled. */
const MAX_MS_BEFORE_CANCEL = 60

interface Key {
  readonly workspaceId: string
  readonly id: string
}

const batchById = statement<Key>()((sql, p) =>
  sql
    .selectFrom('batch')
    .select(['state', 'total', 'succeeded', 'finished_at'])
    .where('workspace_id', '=', p.workspaceId)
    .where('id', '=', p.id),
)
const itemsOfBatch = statement<Key>()((sql, p) =>
  sql
    .selectFrom('batch_item')
    .select(['target', 'state'])
    .where('workspace_id', '=', p.workspaceId)
    .where('batch_id', '=', p.id),
)
const recordsWithReason = statement<{ workspaceId: string; reason: string }>()((sql, p) =>
  sql
    .selectFrom('record')
    .select(['user_id', 'version', 'revoked_at'])
    .where('workspace_id', '=', p.workspaceId)
    .where('reason', '=', p.reason),
)

/** D1: the server is killed repeatedly while it bans many players, and while it reverses that. */
export const batches: FaultTest = {
  promise: 'D1',
  title: `kill -9 during batches of ${PLAYERS}, their cancellation and their reversal`,
  async run(plan, log) {
    const rounds = plan.short ? 1 : (plan.cycles ?? 20)
    const random = seededRandom(plan.seed)
    const failures: string[] = []
    const server = await startKilledServer(random)
    try {
      for (let round = 0; round < rounds && failures.length === 0; round++) {
        const userIds = Array.from({ length: PLAYERS }, (_, index) => `player-${round}-${index}`)
        failures.push(...(await banAndReverse(server, userIds, random)))
        log(`${round + 1} of ${rounds} rounds, ${server.countKills()} kills`)
      }
    } finally {
      await server.end()
    }
    failures.push(...(await server.checkAndRemove()))
    return { stats: { rounds, kills: server.countKills() }, failures }
  },
}

/** Bans players in a batch that ends and in one that is cancelled, and reverses both. @returns what is wrong */
async function banAndReverse(
  server: KilledServer,
  userIds: readonly string[],
  random: () => number,
): Promise<string[]> {
  const { workspaceId, send, readAll } = server
  const path = '/api/moderation/batches'
  const failures: string[] = []

  const start = async (fields: object): Promise<string> =>
    (await send('POST', path, { workspaceId, ...fields })).batch.id
  const startBan = async (reason: string, players = userIds): Promise<StartedBatch> => ({
    id: await start({ action: 'ban', userIds: players, reason }),
    reason,
  })
  const read = async (id: string): Promise<ResponseBody> =>
    (await send('GET', `${path}?workspaceId=${workspaceId}&id=${id}`)).batch
  const hasEnded = (id: string) => async () => (await read(id)).finishedAt !== null
  const readBans = async () => {
    const bans = await readAll(`/api/moderation?workspaceId=${workspaceId}&banList=true`, 'bans')
    return JSON.stringify(bans.map(({ id, userId, status, reason }) => ({ id, userId, status, reason })))
  }
  const checkStored = async (batch: StartedBatch) => {
    failures.push(
      ...summarizeFindings(`faults of “${batch.reason}”`, findFaults(await readStored(server, batch))),
    )
  }
  /** Kills the server until a batch has ended, which must succeed for this many players. */
  const killUntilEnd = async (batch: StartedBatch, count: number) => {
    const id = batch.reversalId ?? batch.id
    await server.killUntil(hasEnded(id), {
      maxUptimeMs: MAX_UPTIME_MS,
      growth: UPTIME_GROWTH,
      checkStopped: () => checkStored(batch),
    })
    await checkStored(batch)
    const ended = await read(id)
    if (ended.state !== 'succeeded' || Number(ended.succeeded) !== count || Number(ended.total) !== count)
      failures.push(`instead of ${count} players: ${JSON.stringify(ended)}`)
  }
  const reverse = async (batch: StartedBatch, bansBefore: string) => {
    const { succeeded } = await read(batch.id)
    const reversalId = await start({ action: 'reverse', id: batch.id, reason: 'Mistake' })
    await killUntilEnd({ ...batch, reversalId }, Number(succeeded))
    if ((await read(batch.id)).reversedBy !== reversalId)
      failures.push(`“${batch.reason}” does not name its reversal`)
    if ((await readBans()) !== bansBefore)
      failures.push(`the bans after the reversal of “${batch.reason}” are not those before it`)
  }

  const earlier = await startBan('Earlier', userIds.slice(0, BANNED_BEFORE))
  await server.waitUntil(hasEnded(earlier.id))
  const bansBefore = await readBans()

  const raid = await startBan(`Raid of ${userIds[0]}`)
  await killUntilEnd(raid, userIds.length)
  await reverse(raid, bansBefore)

  const cancelled = await startBan(`Cancelled, of ${userIds[0]}`)
  await server.waitUntil(async () => Number((await read(cancelled.id)).succeeded) > 0)
  await Bun.sleep(random() * MAX_MS_BEFORE_CANCEL)
  await server.kill(() => checkStored(cancelled))
  const { batch } = await send('POST', path, { workspaceId, action: 'cancel', id: cancelled.id })
  if (batch.state !== 'cancelled') failures.push(`instead of cancelled: ${JSON.stringify(batch)}`)
  await server.kill(() => checkStored(cancelled))
  await reverse(cancelled, bansBefore)
  return failures
}

interface StartedBatch {
  readonly id: string
  /** The reason of its bans, which no other ban has. */
  readonly reason: string
  readonly reversalId?: string
}

/** Reads what is stored of a batch and its reversal. */
async function readStored({ data, workspaceId }: KilledServer, { id, reason, reversalId }: StartedBatch) {
  const inspection = inspectDataFolder(data)
  const { read } = inspection
  const readBatch = async (batchId: string) => {
    const row = await read.first(batchById, { workspaceId, id: batchId })
    if (!row) throw new Error(`the batch ${batchId} is not stored`)
    return { ...row, items: await read.all(itemsOfBatch, { workspaceId, id: batchId }) }
  }
  try {
    return {
      batch: await readBatch(id),
      reversal: reversalId === undefined ? null : await readBatch(reversalId),
      records: await read.all(recordsWithReason, { workspaceId, reason }),
    }
  } finally {
    inspection.close()
  }
}

type StoredBatch = Awaited<ReturnType<typeof readStored>>['batch']

const listSucceeded = ({ items }: StoredBatch): ReadonlySet<string> =>
  new Set(items.filter(({ state }) => state === 'succeeded').map(({ target }) => target))

/** Finds players on whom a batch acted without saying so, or twice, and the same of its reversal. */
function findFaults({ batch, reversal, records }: Awaited<ReturnType<typeof readStored>>): string[] {
  const banned = listSucceeded(batch)
  const reversed = reversal ? listSucceeded(reversal) : new Set()
  const recordsByPlayer = Map.groupBy(records, ({ user_id }) => user_id)
  return [
    ...[batch, ...(reversal ? [reversal] : [])].flatMap(findCountFaults),
    ...batch.items.flatMap(({ target, state }) => {
      const own = recordsByPlayer.get(target) ?? []
      const expected = banned.has(target) ? [reversed.has(target) ? REVERSED : BANNED] : []
      const actual = own.map(({ version, revoked_at }) => ({ version, isRevoked: revoked_at !== null }))
      return Bun.deepEquals(actual, expected)
        ? []
        : [`${target} is ${state}, reversed: ${reversed.has(target)}, records: ${JSON.stringify(actual)}`]
    }),
  ]
}

/** A ban on which a batch has acted once. */
const BANNED = { version: 1, isRevoked: false }
const REVERSED = { version: 2, isRevoked: true }

/** Whether a batch says of itself what its items say. */
function findCountFaults(batch: StoredBatch): string[] {
  const { state, total, succeeded, finished_at, items } = batch
  const count = listSucceeded(batch).size
  const pending = items.filter((item) => item.state === 'pending').length
  const isEnded = finished_at !== null
  return [
    ...(succeeded === count ? [] : [`${succeeded} succeeded instead of ${count}`]),
    ...(state === 'succeeded' && (pending > 0 || items.length !== total)
      ? [`${pending} of ${total} are pending at the end, ${items.length} are stored`]
      : []),
    ...(isEnded === ['succeeded', 'cancelled'].includes(state) ? [] : [`${state}, ended: ${isEnded}`]),
  ]
}
