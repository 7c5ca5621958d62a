import { parseImageHash } from '@reeve/core'
import { type EventTable, statement, type Transaction } from '@reeve/db'
import { changeStorage } from '@reeve/metering'

const otherEventWithImage = statement<{ workspaceId: string; imageUrl: string; id: string }>()((sql, p) =>
  sql
    .selectFrom('event')
    .select('id')
    .where('workspace_id', '=', p.workspaceId)
    .where('image_url', '=', p.imageUrl)
    .where('id', '!=', p.id)
    .limit(1),
)
const imageSize = statement<{ hash: string }>()((sql, p) =>
  sql
    .selectFrom('media')
    .select((eb) =>
      eb.fn.coalesce(eb.fn<number>('octet_length', ['bytes']), 'size_bytes', eb.lit(0)).as('bytes'),
    )
    .where('hash', '=', p.hash),
)

type EventImage = Pick<EventTable, 'image_url'>

/**
 * Adds the image of an event to the stored bytes of its workspace, and removes the one that it had. An image of several events
 * counts once.
 * @param before null for a new event; `after` is null for a deleted one
 */
export async function countImages(
  tx: Transaction,
  event: Pick<EventTable, 'workspace_id' | 'id'>,
  before: EventImage | null,
  after: EventImage | null,
): Promise<void> {
  const [removed, added] = [before?.image_url ?? null, after?.image_url ?? null]
  if (removed === added) return
  const delta = (await measure(tx, event, added)) - (await measure(tx, event, removed))
  await changeStorage(tx, event.workspace_id, 'images', delta)
}

/** The size of an image that only this event has; 0 if another event has it too, or if it is not stored here. */
async function measure(
  tx: Transaction,
  { workspace_id: workspaceId, id }: Pick<EventTable, 'workspace_id' | 'id'>,
  imageUrl: string | null,
): Promise<number> {
  const hash = parseImageHash(imageUrl)
  if (imageUrl === null || hash === null) return 0
  if (await tx.first(otherEventWithImage, { workspaceId, imageUrl, id })) return 0
  return Number((await tx.first(imageSize, { hash }))?.bytes ?? 0)
}
