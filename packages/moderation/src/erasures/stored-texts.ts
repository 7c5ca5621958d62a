import {
  type RecordTable,
  replaceStoredResponse,
  statement,
  statementFamily,
  type Transaction,
} from '@reeve/db'
import { createGoneResponse, removeResponsesOfRecord } from '../records/remove-responses.ts'
import type { FoundTexts } from './find-texts.ts'
import { createViewFinder } from './player-text.ts'
import type { ErasureCounts } from './store.ts'

const replaceIssue = statement<{ workspaceId: string; importId: string; number: number; message: string }>()(
  (sql, p) =>
    sql
      .updateTable('import_issue')
      .set({ message: p.message })
      .where('workspace_id', '=', p.workspaceId)
      .where('import_id', '=', p.importId)
      .where('number', '=', p.number),
)
const clearItem = statement<{ workspaceId: string; batchId: string; number: number }>()((sql, p) =>
  sql
    .updateTable('batch_item')
    .set({ message: null })
    .where('workspace_id', '=', p.workspaceId)
    .where('batch_id', '=', p.batchId)
    .where('number', '=', p.number),
)
const viewsWith = statement<{ workspaceId: string; text: string; encoded: string }>()((sql, p, dialect) =>
  sql
    .selectFrom('saved_view')
    .select(['id', 'name', 'filters'])
    .where('workspace_id', '=', p.workspaceId)
    .where((eb) =>
      eb.or([
        dialect.contains('filters', p.text),
        dialect.contains('filters', p.encoded),
        dialect.contains('name', p.text),
      ]),
    ),
)
const deleteView = statement<{ workspaceId: string; id: string }>()((sql, p) =>
  sql.deleteFrom('saved_view').where('workspace_id', '=', p.workspaceId).where('id', '=', p.id),
)
const clearDelivery = statementFamily<{ workspaceId: string; id: string }, { isInPayload: boolean }>()(
  (sql, p, { isInPayload }) =>
    sql
      .updateTable('delivery')
      .set({ response: null, ...(isInPayload && { payload: null }) })
      .where('workspace_id', '=', p.workspaceId)
      .where('id', '=', p.id),
)

const ERASED_ENTRY = 'The player was erased.'
/** What a repeated request gets instead of a response about the player. */
const goneResponse = createGoneResponse(ERASED_ENTRY)

/** Removes the stored responses that contain texts of a record. Those of a record that is erased late would not be found any more. */
export const eraseResponsesOfRecord = (
  tx: Transaction,
  { workspace_id: workspaceId, id: recordId }: RecordTable,
): Promise<number> => removeResponsesOfRecord(tx, { workspaceId, recordId }, goneResponse)

/**
 * Removes what contains the id of a player: stored responses, results of imports and batches, sent events, and saved views.
 * @param found from `findTexts`
 * @returns how many of each
 */
export async function eraseStoredTexts(
  tx: Transaction,
  { workspaceId, userIds }: { readonly workspaceId: string; readonly userIds: readonly string[] },
  found: FoundTexts,
): Promise<ErasureCounts> {
  await tx.allEach(
    replaceStoredResponse,
    found.responses.map((key) => ({ workspaceId, ...key, ...goneResponse })),
  )
  await tx.allEach(
    replaceIssue,
    found.issues.map((key) => ({ workspaceId, ...key, message: ERASED_ENTRY })),
  )
  await tx.allEach(
    clearItem,
    found.items.map((key) => ({ workspaceId, ...key })),
  )
  // The event that a receiver has responded to can be about somebody else, and still be sent again.
  for (const isInPayload of [true, false])
    await tx.allEach(
      clearDelivery({ isInPayload }),
      found.deliveries
        .filter((delivery) => delivery.isInPayload === isInPayload)
        .map(({ id }) => ({ workspaceId, id })),
    )
  return {
    responses: found.responses.length,
    importResults: found.issues.length,
    batchResults: found.items.length,
    deliveries: found.deliveries.length,
    savedViews: await deleteViews(tx, workspaceId, userIds),
  }
}

/** A workspace has few of them. */
async function deleteViews(
  tx: Transaction,
  workspaceId: string,
  userIds: readonly string[],
): Promise<number> {
  const isOfPlayer = createViewFinder(userIds)
  let deleted = 0
  for (const text of userIds) {
    const views = await tx.all(viewsWith, { workspaceId, text, encoded: encodeURIComponent(text) })
    for (const { id, ...view } of views) {
      if (!isOfPlayer(view)) continue
      await tx.run(deleteView, { workspaceId, id })
      tx.announce({ kind: 'saved_view', workspaceId, id })
      deleted += 1
    }
  }
  return deleted
}
