import { AppError, countStoredBytes } from '@reeve/core'
import { replaceStoredResponse, responsesOfRecord, type Transaction } from '@reeve/db'
import { toErrorBody } from '@reeve/http'
import { changeStorage } from '@reeve/metering'

/** What a repeated request gets instead of its response. */
export interface GoneResponse {
  readonly status: number
  readonly answer: string
}

/** The response that says that what a request was about is gone. */
export function createGoneResponse(message: string): GoneResponse {
  const error = new AppError('not_found', { message })
  return { status: error.status, answer: JSON.stringify(toErrorBody(error, '')) }
}

/**
 * Replaces the responses stored for idempotency keys that contain texts of a record. Those that were replaced before stay.
 * @returns how many
 */
export async function removeResponsesOfRecord(
  tx: Transaction,
  { workspaceId, recordId }: { readonly workspaceId: string; readonly recordId: string },
  gone: GoneResponse,
): Promise<number> {
  const stored = await tx.all(responsesOfRecord, { workspaceId, recordId })
  const responses = stored.filter(({ status }) => status !== gone.status)
  await tx.allEach(
    replaceStoredResponse,
    responses.map((key) => ({ ...key, workspaceId, ...gone })),
  )
  const bytes = responses.reduce(
    (sum, { answer }) => sum + countStoredBytes(gone.answer) - countStoredBytes(answer),
    0,
  )
  await changeStorage(tx, workspaceId, 'responses', bytes)
  return responses.length
}
