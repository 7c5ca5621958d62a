import { STORED_ROW_BYTES } from '@reeve/core'
import { type Conditions, statement, type Tables } from '@reeve/db'

/** Rows per statement: a fraction of a millisecond, because the sizes of texts are read without the texts. */
export const SLICE_ROWS = 200

/** What a row counts (see `countStoredBytes`). Kysely requires a known table name for its types, hence the casts. */
const countRowBytes = <Table extends keyof Tables>(
  eb: Conditions<Table>,
  texts: readonly (keyof Tables[Table] & string)[],
) => {
  const { fn, lit } = eb as unknown as Conditions<'record'>
  return texts
    .map((text) => fn.coalesce(fn<number>('octet_length', [text as 'id']), lit(0)))
    .reduce(
      (sum, size) => (eb as unknown as Conditions<'record'>)(sum, '+', size),
      lit<number>(STORED_ROW_BYTES),
    )
    .as('bytes')
}

/**
 * The counters of a workspace, and the size of its files at the same moment. One statement, because a file that is stored or deleted
 * between two would be counted wrong, and can be large. It takes 20 ms if there are 50,000 evidence files.
 */
export const headByWorkspace = statement<{ workspaceId: string }>()((sql, p) =>
  sql
    .selectFrom('workspace_head')
    .selectAll()
    .select((eb) => [
      eb
        .selectFrom('evidence_file')
        .select(({ fn }) => fn.sum<number>('size_bytes').as('bytes'))
        .where('workspace_id', '=', p.workspaceId)
        // What is being deleted no longer counts.
        .where('deleted_at', 'is', null)
        .as('stored_evidence'),
      eb
        .selectFrom('archive')
        .select(({ fn }) => fn.sum<number>('size_bytes').as('bytes'))
        .where('workspace_id', '=', p.workspaceId)
        .as('stored_archives'),
      // The files of imports, which are stored until their import has ended.
      eb
        .selectFrom('import')
        .select((files) => files.fn.sum<number>(files('size_bytes', '*', files.ref('has_parts'))).as('bytes'))
        .where('workspace_id', '=', p.workspaceId)
        .as('stored_import_files'),
    ])
    .where('workspace_id', '=', p.workspaceId),
)

interface Slice {
  readonly workspaceId: string
  readonly limit: number
}

// Each row has the position after which the next slice begins, under the names of its parameters.

export const recordSizes = statement<Slice & { afterCase: number; lastCase: number }>()((sql, p) =>
  sql
    .selectFrom('record')
    .select((eb) => [
      'case_number as afterCase',
      countRowBytes(eb, [
        'user_username',
        'reason',
        'evidence',
        'evidence_files',
        'comments',
        'revoke_reason',
      ]),
    ])
    .where('workspace_id', '=', p.workspaceId)
    .where('case_number', '>', p.afterCase)
    .where('case_number', '<=', p.lastCase)
    .orderBy('case_number')
    .limit(p.limit),
)

export const versionSizes = statement<Slice & { afterRecord: string; afterVersion: number }>()((sql, p) =>
  sql
    .selectFrom('record_version')
    .select((eb) => ['record_id as afterRecord', 'version as afterVersion', countRowBytes(eb, ['snapshot'])])
    .where('workspace_id', '=', p.workspaceId)
    .where((eb) => eb(eb.refTuple('record_id', 'version'), '>', eb.tuple(p.afterRecord, p.afterVersion)))
    .orderBy('record_id')
    .orderBy('version')
    .limit(p.limit),
)

export const appealSizes = statement<Slice & { afterAppeal: string }>()((sql, p) =>
  sql
    .selectFrom('appeal')
    .select((eb) => ['id as afterAppeal', countRowBytes(eb, ['answers'])])
    .where('workspace_id', '=', p.workspaceId)
    .where('id', '>', p.afterAppeal)
    .orderBy('id')
    .limit(p.limit),
)

export const messageSizes = statement<Slice & { afterAppeal: string; afterMessage: string }>()((sql, p) =>
  sql
    .selectFrom('appeal_message')
    .select((eb) => ['appeal_id as afterAppeal', 'id as afterMessage', countRowBytes(eb, ['text'])])
    .where('workspace_id', '=', p.workspaceId)
    .where((eb) => eb(eb.refTuple('appeal_id', 'id'), '>', eb.tuple(p.afterAppeal, p.afterMessage)))
    .orderBy('appeal_id')
    .orderBy('id')
    .limit(p.limit),
)

export const batchItemSizes = statement<Slice & { afterBatch: string; afterNumber: number }>()((sql, p) =>
  sql
    .selectFrom('batch_item')
    .select((eb) => [
      'batch_id as afterBatch',
      'number as afterNumber',
      countRowBytes(eb, ['target', 'message']),
    ])
    .where('workspace_id', '=', p.workspaceId)
    .where((eb) => eb(eb.refTuple('batch_id', 'number'), '>', eb.tuple(p.afterBatch, p.afterNumber)))
    .orderBy('batch_id')
    .orderBy('number')
    .limit(p.limit),
)

export const deliverySizes = statement<Slice & { afterDelivery: string }>()((sql, p) =>
  sql
    .selectFrom('delivery')
    .select((eb) => ['id as afterDelivery', countRowBytes(eb, ['payload', 'response'])])
    .where('workspace_id', '=', p.workspaceId)
    .where('id', '>', p.afterDelivery)
    .orderBy('id')
    .limit(p.limit),
)

export const importIssueSizes = statement<Slice & { afterImport: string; afterNumber: number }>()((sql, p) =>
  sql
    .selectFrom('import_issue')
    .select((eb) => ['import_id as afterImport', 'number as afterNumber', countRowBytes(eb, ['message'])])
    .where('workspace_id', '=', p.workspaceId)
    .where((eb) => eb(eb.refTuple('import_id', 'number'), '>', eb.tuple(p.afterImport, p.afterNumber)))
    .orderBy('import_id')
    .orderBy('number')
    .limit(p.limit),
)

export const auditSizes = statement<Slice & { afterSequence: number; lastSequence: number }>()((sql, p) =>
  sql
    .selectFrom('audit')
    .select((eb) => ['sequence as afterSequence', countRowBytes(eb, ['changes'])])
    .where('workspace_id', '=', p.workspaceId)
    .where('sequence', '>', p.afterSequence)
    .where('sequence', '<=', p.lastSequence)
    .orderBy('sequence')
    .limit(p.limit),
)

export const responseSizes = statement<
  Slice & { afterActor: string; afterRoute: string; afterKey: string }
>()((sql, p) =>
  sql
    .selectFrom('idempotency')
    .select((eb) => [
      'actor_id as afterActor',
      'route as afterRoute',
      'key as afterKey',
      countRowBytes(eb, ['answer']),
    ])
    .where('workspace_id', '=', p.workspaceId)
    .where((eb) =>
      eb(eb.refTuple('actor_id', 'route', 'key'), '>', eb.tuple(p.afterActor, p.afterRoute, p.afterKey)),
    )
    .orderBy('actor_id')
    .orderBy('route')
    .orderBy('key')
    .limit(p.limit),
)

export const eventImages = statement<Slice & { afterEvent: string }>()((sql, p) =>
  sql
    .selectFrom('event')
    .select(['id as afterEvent', 'image_url'])
    .where('workspace_id', '=', p.workspaceId)
    .where('id', '>', p.afterEvent)
    .orderBy('id')
    .limit(p.limit),
)

export const imageSizes = statement<{ hashes: readonly string[] }>()((sql, p, dialect) =>
  sql
    .selectFrom('media')
    .select((eb) =>
      eb.fn
        .sum<number>(eb.fn.coalesce(eb.fn<number>('octet_length', ['bytes']), 'size_bytes', eb.lit(0)))
        .as('bytes'),
    )
    .where(dialect.inList('hash', p.hashes)),
)
