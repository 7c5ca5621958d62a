import { type Queries, statement, type WebhookTable } from '@reeve/db'

const bansOfRecord = statement<{
  workspaceId: string
  targetId: string
  resourceId: string
  kind: string
}>()((sql, p) =>
  sql
    .selectFrom('delivery')
    .select('message_id')
    .where('workspace_id', '=', p.workspaceId)
    .where('resource_id', '=', p.resourceId)
    .where('target_id', '=', p.targetId)
    .where('kind', '=', p.kind)
    .where('message_id', 'is not', null)
    .limit(1),
)

/** The event that creates the message which the event that ends it edits. */
const CREATED_BY: Readonly<Record<string, string>> = {
  'ban.ended': 'ban.created',
  'record.ended': 'record.created',
}

/** The message about the ban or record that an event ends; null if there is none. */
export async function findMessage(
  db: Queries,
  webhook: Pick<WebhookTable, 'workspace_id' | 'id'>,
  { kind, resource_id }: { readonly kind: string; readonly resource_id: string | null },
): Promise<string | null> {
  const createdBy = CREATED_BY[kind]
  if (createdBy === undefined || resource_id === null) return null
  const row = await db.first(bansOfRecord, {
    workspaceId: webhook.workspace_id,
    targetId: webhook.id,
    resourceId: resource_id,
    kind: createdBy,
  })
  return row?.message_id ?? null
}
