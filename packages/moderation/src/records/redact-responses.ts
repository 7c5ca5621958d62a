import { countStoredBytes } from '@reeve/core'
import { replaceStoredResponse, responsesOfRecord, type Transaction } from '@reeve/db'
import { changeStorage } from '@reeve/metering'
import type { ModerationRecord } from './model.ts'

/**
 * A response that contains texts of a record: the record itself, a decision about it, its ban as an appeal shows it, its pin, or a file
 * that was uploaded before it.
 */
interface StoredAnswer {
  readonly error?: string
  readonly record?: object
  readonly file?: object
  readonly approval?: object
  readonly ban?: object
  readonly appeal?: object | null
  readonly files?: readonly unknown[]
  readonly pinnedNote?: object
}

/**
 * Redacts the responses stored for idempotency keys that contain texts of a record, because a repeated request must not return them.
 * @param record as it is from now on
 */
export async function redactResponses(tx: Transaction, record: ModerationRecord): Promise<void> {
  const { workspaceId, id: recordId } = record
  const responses = await tx.all(responsesOfRecord, { workspaceId, recordId })
  let bytes = 0
  const redacted = responses.map(({ answer, ...key }) => {
    const redactedAnswer = JSON.stringify(redactAnswer(JSON.parse(answer), record))
    bytes += countStoredBytes(redactedAnswer) - countStoredBytes(answer)
    return { ...key, workspaceId, answer: redactedAnswer }
  })
  await tx.allEach(replaceStoredResponse, redacted)
  await changeStorage(tx, workspaceId, 'responses', bytes)
}

function redactAnswer(answer: StoredAnswer, record: ModerationRecord): object {
  // Its player has been erased.
  if (answer.error !== undefined) return answer
  const { approval, ban, appeal, file, pinnedNote } = answer
  if (approval) return { approval: { ...approval, reason: null }, record }
  if (pinnedNote) return { pinnedNote: { ...pinnedNote, text: null } }
  if (file && !answer.record && !ban) return { file: { ...file, name: '' } }
  if (!ban) return { record }
  // Of an appeal, the texts of its ban and the names of its files are removed with the record.
  const redactedBan = { ...ban, reason: null, ...('publicReason' in ban && { publicReason: null }) }
  return answer.files
    ? { ...answer, ban: redactedBan, files: [] }
    : { ...answer, ban: redactedBan, appeal: appeal && { ...appeal, files: [] } }
}
