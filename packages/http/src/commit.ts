import { createHash } from 'node:crypto'
import { AppError, errorTable, type Ports } from '@reeve/core'
import {
  type Database,
  type IdempotencyTable,
  isUniqueViolation,
  type Queries,
  statement,
  type Transaction,
} from '@reeve/db'
import type { Meter } from '@reeve/metering'
import type { Call } from './call.ts'

/** How long an `Idempotency-Key` is remembered. */
const KEPT_MS = 24 * 3_600_000

const storedAnswer = statement<{
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
const storeAnswer = statement<IdempotencyTable>()((sql, p) =>
  sql
    .insertInto('idempotency')
    .values({
      workspace_id: p.workspace_id,
      actor_id: p.actor_id,
      route: p.route,
      key: p.key,
      request_hash: p.request_hash,
      status: p.status,
      answer: p.answer,
      created_at: p.created_at,
    })
    .onConflict((conflict) =>
      conflict.columns(['workspace_id', 'actor_id', 'route', 'key']).doUpdateSet((eb) => ({
        request_hash: eb.ref('excluded.request_hash'),
        status: eb.ref('excluded.status'),
        answer: eb.ref('excluded.answer'),
        created_at: eb.ref('excluded.created_at'),
      })),
    ),
)
const forgetOld = statement<{ before: number }>()((sql, p) =>
  sql.deleteFrom('idempotency').where('created_at', '<=', p.before),
)
const replaceAnswers = statement<{ workspaceId: string; beginning: string; answer: string }>()((sql, p) =>
  sql
    .updateTable('idempotency')
    .set({ answer: p.answer })
    .where('workspace_id', '=', p.workspaceId)
    .where('answer', 'like', p.beginning),
)

/** An answer that was given before, to be given again as it was. */
export class Replay extends Error {
  readonly status: number
  readonly answer: string
  constructor(status: number, answer: string) {
    super('an earlier answer, given again')
    this.status = status
    this.answer = answer
  }
}

export type Commit = <Answer extends object>(
  call: Call,
  unit: (tx: Transaction) => Promise<Answer>,
) => Promise<Answer>

/** Deletes the answers whose time has passed. */
export const forgetOldAnswers = async (db: Database, ports: Ports): Promise<void> => {
  await db.write((tx) => tx.run(forgetOld, { before: ports.now() - KEPT_MS }))
}

/**
 * Puts another answer in the place of those kept for repeats, where what they said must not be said again. A repeat still
 * has no second effect.
 * @param beginning how the JSON of the answers begins; without `%` and `_`
 */
export const replaceStoredAnswers = (
  tx: Transaction,
  workspaceId: string,
  beginning: string,
  answer: object,
): Promise<number> =>
  tx.run(replaceAnswers, { workspaceId, beginning: `${beginning}%`, answer: JSON.stringify(answer) })

/**
 * How a route changes something: the effect, its count and, under an `Idempotency-Key`, its answer are one transaction.
 * A repeat under the same key gets the first answer (`Replay`, which the error mapper writes out).
 */
export function committer(db: Database, ports: Ports, meter: Meter): Commit {
  const inFlight = new Set<string>()

  const counted = async <Answer>(tx: Transaction, call: Call, unit: (tx: Transaction) => Promise<Answer>) => {
    const answer = await unit(tx)
    if (call.metered) await meter.countIn(tx, call.metered)
    return answer
  }

  const settled = (call: Call) => {
    call.counted = true
    call.wrote = true
    if (call.metered) meter.committed(call.metered)
  }

  /** @throws Replay where the request was answered before, AppError `idempotency_mismatch` where another one was */
  async function needFirst(queries: Pick<Queries, 'first'>, call: Call, key: string): Promise<void> {
    const { workspaceId, actorId, route } = call
    const since = ports.now() - KEPT_MS
    const stored = await queries.first(storedAnswer, { workspaceId, actorId, route, key, since })
    if (!stored) return
    if (stored.request_hash !== hashOf(call)) throw new AppError('idempotency_mismatch')
    throw new Replay(stored.status, stored.answer)
  }

  async function once<Answer extends object>(
    call: Call,
    key: string,
    unit: (tx: Transaction) => Promise<Answer>,
  ) {
    const store = (tx: Transaction, status: number, answer: object) =>
      tx.run(storeAnswer, {
        workspace_id: call.workspaceId,
        actor_id: call.actorId,
        route: call.route,
        key,
        request_hash: hashOf(call),
        status,
        answer: JSON.stringify(answer),
        created_at: ports.now(),
      })
    try {
      return await db.write(async (tx) => {
        await needFirst(tx, call, key)
        const answer = await counted(tx, call, unit)
        await store(tx, 200, answer)
        return answer
      })
    } catch (error) {
      // A refusal by the rules is an answer too; what may go better next time is not kept.
      if (error instanceof AppError && isKept(error)) {
        await db.write((tx) => store(tx, error.status, errorAnswer(error, call.requestId)))
      }
      throw error
    }
  }

  return async (call, unit) => {
    const key = call.idempotencyKey
    if (key === null) {
      const answer = await db.write((tx) => counted(tx, call, unit))
      settled(call)
      return answer
    }
    const place = JSON.stringify([call.workspaceId, call.actorId, call.route, key])
    if (inFlight.has(place)) {
      // What is under way may be a repeat itself, of a request that was answered long ago.
      await needFirst(db.read, call, key)
      throw new AppError('conflict', {
        message: 'The first request with this Idempotency-Key is still under way.',
      })
    }
    inFlight.add(place)
    try {
      const answer = await once(call, key, unit)
      settled(call)
      return answer
    } finally {
      inFlight.delete(place)
    }
  }
}

const hashOf = (call: Call): string => createHash('sha256').update(call.sent).digest('hex')

const isKept = (error: AppError): boolean =>
  error.status < 500 && error.status !== 429 && error.code !== 'idempotency_mismatch'

/** The body of an error answer. */
export function errorAnswer(error: AppError, requestId: string): object {
  const { reason, permission, details } = error.options
  return {
    error: error.message || errorTable[error.code].sentence,
    code: error.code,
    ...(reason ? { reason } : {}),
    ...(permission ? { permission } : {}),
    ...(details ? { details } : {}),
    requestId,
  }
}

/** Turns the unique violation of a rule the database keeps into the conflict it means. */
export async function orConflict<Answer>(step: Promise<Answer>, message: string): Promise<Answer> {
  try {
    return await step
  } catch (error) {
    if (isUniqueViolation(error)) throw new AppError('conflict', { message })
    throw error
  }
}
