import { groupBySize, MAX_BATCH_BYTES } from '@reeve/core'
import { type Queries, type RecordVersionTable, statement } from '@reeve/db'

/** Earlier versions of records. Each can have hundreds of kilobytes, so their sizes are read first. */

interface VersionParams {
  readonly workspaceId: string
  readonly id: string
  /** The version after which to start. */
  readonly after: number
}

export const versionSizesAfter = statement<VersionParams & { limit: number }>()((sql, p) =>
  sql
    .selectFrom('record_version')
    .select(({ fn }) => ['version', fn<number>('octet_length', ['snapshot']).as('bytes')])
    .where('workspace_id', '=', p.workspaceId)
    .where('record_id', '=', p.id)
    .where('version', '>', p.after)
    .orderBy('version')
    .limit(p.limit),
)
export const versionsBetween = statement<VersionParams & { last: number }>()((sql, p) =>
  sql
    .selectFrom('record_version')
    .selectAll()
    .where('workspace_id', '=', p.workspaceId)
    .where('record_id', '=', p.id)
    .where('version', '>', p.after)
    .where('version', '<=', p.last)
    .orderBy('version'),
)

const SIZES_LIMIT = 500

/** Reads all earlier versions of a record in batches that are limited in their number of bytes. */
export async function* readVersionBatches(
  db: Queries,
  key: Omit<VersionParams, 'after'>,
): AsyncGenerator<readonly RecordVersionTable[]> {
  let after = 0
  for (;;) {
    const sizes = await db.all(versionSizesAfter, { ...key, after, limit: SIZES_LIMIT })
    for (const group of groupBySize(sizes, MAX_BATCH_BYTES, ({ bytes }) => bytes)) {
      const last = group.at(-1)?.version ?? after
      yield await db.all(versionsBetween, { ...key, after, last })
      after = last
    }
    if (sizes.length < SIZES_LIMIT) return
  }
}
