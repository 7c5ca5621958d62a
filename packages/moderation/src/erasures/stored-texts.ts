import { AppError } from '@reeve/core'
import { statement, type Transaction } from '@reeve/db'
import { toErrorBody } from '@reeve/http'
import { createIdFinder } from './player-text.ts'
import type { ErasureCounts } from './store.ts'

/** Texts that no column connects with a player: they are found by the id in them. */

interface Containing {
  readonly workspaceId: string
  readonly text: string
}

const responsesWith = statement<Containing>()((sql, p, dialect) =>
  sql
    .selectFrom('idempotency')
    .select(['actor_id', 'route', 'key', 'answer'])
    .where('workspace_id', '=', p.workspaceId)
    .where(dialect.contains('answer', p.text)),
)
const replaceResponse = statement<{
  workspaceId: string
  actorId: string
  route: string
  key: string
  status: number
  answer: string
}>()((sql, p) =>
  sql
    .updateTable('idempotency')
    .set({ status: p.status, answer: p.answer })
    .where('workspace_id', '=', p.workspaceId)
    .where('actor_id', '=', p.actorId)
    .where('route', '=', p.route)
    .where('key', '=', p.key),
)
const issuesWith = statement<Containing>()((sql, p, dialect) =>
  sql
    .selectFrom('import_issue')
    .select(['import_id', 'number', 'message'])
    .where('workspace_id', '=', p.workspaceId)
    .where(dialect.contains('message', p.text)),
)
const replaceIssue = statement<{ workspaceId: string; importId: string; number: number; message: string }>()(
  (sql, p) =>
    sql
      .updateTable('import_issue')
      .set({ message: p.message })
      .where('workspace_id', '=', p.workspaceId)
      .where('import_id', '=', p.importId)
      .where('number', '=', p.number),
)
const itemsWith = statement<Containing>()((sql, p, dialect) =>
  sql
    .selectFrom('batch_item')
    .select(['batch_id', 'number', 'message'])
    .where('workspace_id', '=', p.workspaceId)
    .where(dialect.contains('message', p.text)),
)
const clearItem = statement<{ workspaceId: string; batchId: string; number: number }>()((sql, p) =>
  sql
    .updateTable('batch_item')
    .set({ message: null })
    .where('workspace_id', '=', p.workspaceId)
    .where('batch_id', '=', p.batchId)
    .where('number', '=', p.number),
)
const viewsWith = statement<Containing & { encoded: string }>()((sql, p, dialect) =>
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
const deliveriesWith = statement<Containing>()((sql, p, dialect) =>
  sql
    .selectFrom('delivery')
    .select(['id', 'payload', 'response'])
    .where('workspace_id', '=', p.workspaceId)
    .where((eb) => eb.or([dialect.contains('payload', p.text), dialect.contains('response', p.text)])),
)
const clearDelivery = statement<{ workspaceId: string; id: string }>()((sql, p) =>
  sql
    .updateTable('delivery')
    .set({ payload: null, response: null })
    .where('workspace_id', '=', p.workspaceId)
    .where('id', '=', p.id),
)

/** What a repeated request gets instead of a response about the player. It still has no second effect. */
const GONE = new AppError('not_found', { message: 'The player was erased.' })
const ERASED_ENTRY = 'The player was erased.'

/**
 * Removes stored responses, results of imports and batches, saved views and sent events that contain the id of the player.
 * @returns how many of each
 */
export async function eraseStoredTexts(
  tx: Transaction,
  { workspaceId, userIds }: { readonly workspaceId: string; readonly userIds: readonly string[] },
): Promise<ErasureCounts> {
  const containsId = createIdFinder(userIds)
  const hasId = (...texts: readonly (string | null)[]) =>
    texts.some((text) => text !== null && containsId(text))
  const counts = { responses: 0, importResults: 0, batchResults: 0, savedViews: 0, deliveries: 0 }
  for (const text of userIds) {
    const place = { workspaceId, text }
    for (const { actor_id: actorId, route, key, answer } of await tx.all(responsesWith, place)) {
      if (!hasId(answer)) continue
      const body = JSON.stringify(toErrorBody(GONE, ''))
      await tx.run(replaceResponse, { workspaceId, actorId, route, key, status: GONE.status, answer: body })
      counts.responses += 1
    }
    for (const { import_id: importId, number, message } of await tx.all(issuesWith, place)) {
      if (!hasId(message)) continue
      await tx.run(replaceIssue, { workspaceId, importId, number, message: ERASED_ENTRY })
      counts.importResults += 1
    }
    for (const { batch_id: batchId, number, message } of await tx.all(itemsWith, place)) {
      if (!hasId(message)) continue
      await tx.run(clearItem, { workspaceId, batchId, number })
      counts.batchResults += 1
    }
    const encoded = encodeURIComponent(text)
    for (const { id, name, filters } of await tx.all(viewsWith, { ...place, encoded })) {
      if (!hasId(name, ...new URLSearchParams(filters).values())) continue
      await tx.run(deleteView, { workspaceId, id })
      tx.announce({ kind: 'saved_view', workspaceId, id })
      counts.savedViews += 1
    }
    for (const { id, payload, response } of await tx.all(deliveriesWith, place)) {
      if (!hasId(payload, response)) continue
      await tx.run(clearDelivery, { workspaceId, id })
      counts.deliveries += 1
    }
  }
  return counts
}
