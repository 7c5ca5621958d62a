import { AppError, type ExceededLimit, errorCodes, type Ports, wire } from '@reeve/core'
import { sha256Hex } from '@reeve/core/sha256'
import { type Database, isUniqueViolation, type Queries, type Transaction } from '@reeve/db'
import type { Meter, StorageGuard } from '@reeve/metering'
import { BODY_LIMIT } from './body.ts'
import type { IdempotencyKeys } from './idempotency-keys.ts'
import type { FieldValues } from './read-fields.ts'
import { yieldForLargeBody } from './receive-body.ts'
import type { RequestContext } from './request-context.ts'
import { storeResponse } from './stored-responses.ts'

/** Thrown instead of running a write again: the stored response. The error mapper sends it unchanged. */
export class Replay extends Error {
  readonly status: number
  readonly body: string
  constructor(status: number, body: string) {
    super('replayed response')
    this.status = status
    this.body = body
  }
}

export type Commit = <Result extends object>(
  context: RequestContext,
  unit: (tx: Transaction) => Promise<Result>,
  /** For a response that contains texts of a record: which record, or file of one that is to come, so that a redaction finds the stored response. */
  getRecordId?: (response: Result) => string | null,
) => Promise<Result>

/**
 * How a route writes: the effect, the request count and, with an `Idempotency-Key`, the stored response are one
 * transaction. A retry with the same key gets the stored response (see `Replay`).
 */
export function createCommit(
  db: Database,
  ports: Ports,
  meter: Meter,
  storage: StorageGuard,
  keys: IdempotencyKeys,
): Commit {
  const runAndCount = async <Result>(
    tx: Transaction,
    context: RequestContext,
    unit: (tx: Transaction) => Promise<Result>,
  ) => {
    const { workspaceId, storageUse } = context
    if (workspaceId !== '') await storage.assertAvailable(tx, workspaceId, storageUse)
    const response = await unit(tx)
    if (context.meteredRequest) await meter.countInTransaction(tx, context.meteredRequest)
    return response
  }

  const markCommitted = (context: RequestContext) => {
    context.isCounted = true
    context.hasWritten = true
    if (context.meteredRequest) meter.markCommitted(context.meteredRequest)
  }

  /** @throws Replay if the request has a stored response; AppError `idempotency_mismatch` if another request used the key */
  async function assertNotReplayed(
    queries: Pick<Queries, 'first'>,
    context: RequestContext,
    key: string,
    requestHash: string,
  ): Promise<void> {
    const stored = await keys.findResponse(queries, context, key)
    if (!stored) return
    if (stored.request_hash !== requestHash) throw new AppError('idempotency_mismatch')
    throw new Replay(stored.status, stored.answer)
  }

  async function runOnce<Result extends object>(
    context: RequestContext,
    key: string,
    unit: (tx: Transaction) => Promise<Result>,
    getRecordId: (response: Result) => string | null,
  ) {
    // Before the transaction, which other writes wait for.
    const requestHash = await hashRequest(context)
    const store = (tx: Transaction, status: number, response: object, recordId: string | null) =>
      storeResponse(tx, {
        workspace_id: context.workspaceId,
        actor_id: context.actorId,
        route: context.route,
        key,
        request_hash: requestHash,
        status,
        answer: JSON.stringify(response),
        created_at: ports.now(),
        record_id: recordId,
      })
    try {
      return await db.write(async (tx) => {
        await assertNotReplayed(tx, context, key, requestHash)
        const response = await runAndCount(tx, context, unit)
        await store(tx, 200, response, getRecordId(response))
        return response
      })
    } catch (error) {
      // An error that a retry cannot change is stored too, unless another process has stored a response in the meantime.
      if (error instanceof AppError && isReplayable(error)) {
        await db.write(async (tx) => {
          await assertNotReplayed(tx, context, key, requestHash)
          await store(tx, error.status, toErrorBody(error, context.requestId), null)
        })
      }
      throw error
    }
  }

  return async (context, unit, getRecordId = () => null) => {
    const key = context.idempotencyKey
    if (key === null) {
      const response = await db.write((tx) => runAndCount(tx, context, unit))
      markCommitted(context)
      return response
    }
    if (keys.isInFlight(context, key)) {
      // The request in flight may itself be a retry of one with a stored response.
      await assertNotReplayed(db.read, context, key, await hashRequest(context))
      throw new AppError('conflict', {
        message: 'Another request with this Idempotency-Key is still in progress.',
        // Tells it from a conflict that a retry does not resolve.
        headers: { 'Retry-After': '1' },
      })
    }
    const response = await keys.run(context, key, () => runOnce(context, key, unit, getRecordId))
    markCommitted(context)
    return response
  }
}

/** Hashes the fields of a request, whatever their order and the formatting of the JSON. A large body takes a turn of the event loop. */
async function hashRequest({ payload, bodySize }: RequestContext): Promise<string> {
  await yieldForLargeBody(bodySize)
  return sha256Hex(JSON.stringify([sortFields(payload.query), sortFields(payload.body)]))
}

const sortFields = (fields: FieldValues): readonly (readonly [string, unknown])[] =>
  Object.keys(fields)
    .sort()
    .map((name) => [name, hashLargeText(fields[name])] as const)

/** A large text is hashed alone: the JSON would be another copy of it, for garbage collection. No other field is an object with members. */
const hashLargeText = (value: unknown): unknown =>
  typeof value === 'string' && value.length > BODY_LIMIT ? { sha256: sha256Hex(value) } : value

/** Other requests and operators change the rest, so a retry can succeed. */
const isReplayable = ({ status, code, options }: AppError): boolean =>
  status < 500 &&
  (options.limit?.resetsAt ?? null) === null &&
  status !== 429 &&
  code !== 'storage_quota_exceeded' &&
  // The expected version is a header, which is not among the fields that are compared.
  code !== 'version_mismatch' &&
  code !== 'idempotency_mismatch'

/** The body of an error response. */
export function toErrorBody(error: AppError, requestId: string): object {
  const { reason, permission, details, limit } = error.options
  return {
    error: error.message || errorCodes[error.code].defaultMessage,
    code: error.code,
    ...(reason ? { reason } : {}),
    ...(permission ? { permission } : {}),
    ...(details ? { details } : {}),
    ...(limit ? { limit: presentLimit(limit) } : {}),
    requestId,
  }
}

const presentLimit = ({ name, value, resetsAt }: ExceededLimit) => ({
  name,
  value,
  ...(resetsAt !== null && { resetsAt: wire.time.write(resetsAt) }),
})

/** Converts a unique constraint violation into a `conflict` with this message. */
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
