import { AppError, DAY_MS, errorCodes, type Ports } from '@reeve/core'
import { sha256Hex } from '@reeve/core/sha256'
import {
  type Database,
  type IdempotencyTable,
  isUniqueViolation,
  type Queries,
  statement,
  type Transaction,
  upsertAll,
} from '@reeve/db'
import type { Meter } from '@reeve/metering'
import type { RequestContext } from './request-context.ts'

/** How long an `Idempotency-Key` is remembered. */
const IDEMPOTENCY_TTL_MS = DAY_MS

const storedResponse = statement<{
  workspaceId: string
  actorId: string
  route: string
  key: string
  since: number
}>()((sql, p) =>
  sql
    .selectFrom('idempotency')
    .select(['request_hash', 'status', 'answer'])
    .where('workspace_id', '=', p.workspaceId)
    .where('actor_id', '=', p.actorId)
    .where('route', '=', p.route)
    .where('key', '=', p.key)
    .where('created_at', '>', p.since),
)
const upsertResponse = statement<IdempotencyTable>()((sql, p) =>
  upsertAll(sql, 'idempotency', p, ['workspace_id', 'actor_id', 'route', 'key']),
)
const deleteExpired = statement<{ before: number }>()((sql, p) =>
  sql.deleteFrom('idempotency').where('created_at', '<=', p.before),
)
const updateResponses = statement<{ workspaceId: string; prefix: string; answer: string }>()((sql, p) =>
  sql
    .updateTable('idempotency')
    .set({ answer: p.answer })
    .where('workspace_id', '=', p.workspaceId)
    .where('answer', 'like', p.prefix),
)

/** An answer that was given before, to be given again as it was. */
export class Replay extends Error {
  readonly status: number
  readonly body: string
  constructor(status: number, body: string) {
    super('an earlier answer, given again')
    this.status = status
    this.body = body
  }
}

export type Commit = <Result extends object>(
  context: RequestContext,
  unit: (tx: Transaction) => Promise<Result>,
) => Promise<Result>

/** Deletes the answers whose time has passed. */
export const deleteExpiredResponses = async (db: Database, ports: Ports): Promise<void> => {
  await db.write((tx) => tx.run(deleteExpired, { before: ports.now() - IDEMPOTENCY_TTL_MS }))
}

/**
 * Puts another answer in the place of those kept for repeats, where what they said must not be said again. A repeat still
 * has no second effect.
 * @param beginning how the JSON of the answers begins; without `%` and `_`
 */
export const replaceStoredResponses = (
  tx: Transaction,
  workspaceId: string,
  prefix: string,
  answer: object,
): Promise<number> =>
  tx.run(updateResponses, { workspaceId, prefix: `${prefix}%`, answer: JSON.stringify(answer) })

/**
 * How a route changes something: the effect, its count and, under an `Idempotency-Key`, its answer are one transaction.
 * A repeat under the same key gets the first answer (`Replay`, which the error mapper writes out).
 */
export function createCommit(db: Database, ports: Ports, meter: Meter): Commit {
  const inFlight = new Set<string>()

  const runAndCount = async <Result>(
    tx: Transaction,
    context: RequestContext,
    unit: (tx: Transaction) => Promise<Result>,
  ) => {
    const answer = await unit(tx)
    if (context.meteredRequest) await meter.countInTransaction(tx, context.meteredRequest)
    return answer
  }

  const markCommitted = (context: RequestContext) => {
    context.isCounted = true
    context.hasWritten = true
    if (context.meteredRequest) meter.markCommitted(context.meteredRequest)
  }

  /** @throws Replay where the request was answered before, AppError `idempotency_mismatch` where another one was */
  async function assertNotReplayed(
    queries: Pick<Queries, 'first'>,
    context: RequestContext,
    key: string,
  ): Promise<void> {
    const { workspaceId, actorId, route } = context
    const since = ports.now() - IDEMPOTENCY_TTL_MS
    const stored = await queries.first(storedResponse, { workspaceId, actorId, route, key, since })
    if (!stored) return
    if (stored.request_hash !== hashRequest(context)) throw new AppError('idempotency_mismatch')
    throw new Replay(stored.status, stored.answer)
  }

  async function runOnce<Result extends object>(
    context: RequestContext,
    key: string,
    unit: (tx: Transaction) => Promise<Result>,
  ) {
    const store = (tx: Transaction, status: number, answer: object) =>
      tx.run(upsertResponse, {
        workspace_id: context.workspaceId,
        actor_id: context.actorId,
        route: context.route,
        key,
        request_hash: hashRequest(context),
        status,
        answer: JSON.stringify(answer),
        created_at: ports.now(),
      })
    try {
      return await db.write(async (tx) => {
        await assertNotReplayed(tx, context, key)
        const answer = await runAndCount(tx, context, unit)
        await store(tx, 200, answer)
        return answer
      })
    } catch (error) {
      // A refusal by the rules is an answer too; what may go better next time is not kept.
      if (error instanceof AppError && isReplayable(error)) {
        await db.write((tx) => store(tx, error.status, toErrorBody(error, context.requestId)))
      }
      throw error
    }
  }

  return async (context, unit) => {
    const key = context.idempotencyKey
    if (key === null) {
      const answer = await db.write((tx) => runAndCount(tx, context, unit))
      markCommitted(context)
      return answer
    }
    const inFlightKey = JSON.stringify([context.workspaceId, context.actorId, context.route, key])
    if (inFlight.has(inFlightKey)) {
      // What is under way may be a repeat itself, of a request that was answered long ago.
      await assertNotReplayed(db.read, context, key)
      throw new AppError('conflict', {
        message: 'The first request with this Idempotency-Key is still under way.',
      })
    }
    inFlight.add(inFlightKey)
    try {
      const answer = await runOnce(context, key, unit)
      markCommitted(context)
      return answer
    } finally {
      inFlight.delete(inFlightKey)
    }
  }
}

const hashRequest = (context: RequestContext): string => sha256Hex(context.payload)

const isReplayable = (error: AppError): boolean =>
  error.status < 500 && error.status !== 429 && error.code !== 'idempotency_mismatch'

/** The body of an error answer. */
export function toErrorBody(error: AppError, requestId: string): object {
  const { reason, permission, details } = error.options
  return {
    error: error.message || errorCodes[error.code].defaultMessage,
    code: error.code,
    ...(reason ? { reason } : {}),
    ...(permission ? { permission } : {}),
    ...(details ? { details } : {}),
    requestId,
  }
}

/** Turns the unique violation of a rule the database keeps into the conflict it means. */
export async function uniqueViolationToConflict<Result>(
  operation: Promise<Result>,
  message: string,
): Promise<Result> {
  try {
    return await operation
  } catch (error) {
    if (isUniqueViolation(error)) throw new AppError('conflict', { message })
    throw error
  }
}
