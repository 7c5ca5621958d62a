import { type Actor, parseImageHash } from '@reeve/core'
import { type Queries, statement, statementFamily } from '@reeve/db'
import { content, contentTables, countedKinds } from './content.ts'
import type { ContentTable } from './content-definition.ts'

const rowCount = statementFamily<{ workspaceId: string }, { table: ContentTable }>()((sql, p, { table }) =>
  sql
    .selectFrom(table as 'record')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('workspace_id', '=', p.workspaceId),
)
const eventImageUrls = statement<{ workspaceId: string }>()((sql, p) =>
  sql
    .selectFrom('event')
    .select('image_url')
    .distinct()
    .where('workspace_id', '=', p.workspaceId)
    .where('image_url', 'is not', null),
)

/** Counts the objects of each kind in the actor's workspace, as in an archive created now. */
export async function countContent(db: Queries, { workspaceId }: Pick<Actor, 'workspaceId'>) {
  const counts = new Map<string, number>()
  for (const table of contentTables) {
    const { kind } = content[table]
    if (!(countedKinds as readonly string[]).includes(kind)) continue
    counts.set(kind, Number((await db.first(rowCount({ table }), { workspaceId }))?.count ?? 0))
  }
  const images = await db.all(eventImageUrls, { workspaceId })
  counts.set('media', new Set(images.map((row) => parseImageHash(row.image_url)).filter(Boolean)).size)
  return { counts: Object.fromEntries(countedKinds.map((kind) => [kind, String(counts.get(kind) ?? 0)])) }
}
