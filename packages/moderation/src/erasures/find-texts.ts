import { type Queries, statementFamily, yieldToEventLoop } from '@reeve/db'
import { createIdFinder, createJsonFinder } from './player-text.ts'

/** Texts that no column connects with a player are found by the id in them. */

/** Rows per statement: a fraction of a millisecond. A workspace can have millions of sent events. */
const SLICE_ROWS = 200

interface Slice {
  readonly workspaceId: string
  readonly text: string
  readonly limit: number
}

/** The first slice has no row before it. */
interface SliceShape {
  readonly isStart: boolean
}

/** The parameters of a slice: where it continues. */
interface ResponseKey {
  readonly actorId: string
  readonly route: string
  readonly key: string
}

interface IssueKey {
  readonly importId: string
  readonly number: number
}

interface ItemKey {
  readonly batchId: string
  readonly number: number
}

interface DeliveryKey {
  readonly id: string
}

/** A sent event that contains the id, or only the response to it. */
interface FoundDelivery extends DeliveryKey {
  readonly isInPayload: boolean
}

const responses = statementFamily<Slice & ResponseKey, SliceShape>()((sql, p, { isStart }, dialect) =>
  sql
    .selectFrom('idempotency')
    .select((eb) => [
      ...(['actor_id as actorId', 'route', 'key'] as const),
      eb.case().when(dialect.contains('answer', p.text)).then(eb.ref('answer')).end().as('found'),
    ])
    .where('workspace_id', '=', p.workspaceId)
    .$if(!isStart, (query) =>
      query.where((eb) =>
        eb(eb.refTuple('actor_id', 'route', 'key'), '>', eb.tuple(p.actorId, p.route, p.key)),
      ),
    )
    .orderBy('actor_id')
    .orderBy('route')
    .orderBy('key')
    .limit(p.limit),
)
const issues = statementFamily<Slice & IssueKey, SliceShape>()((sql, p, { isStart }, dialect) =>
  sql
    .selectFrom('import_issue')
    .select((eb) => [
      ...(['import_id as importId', 'number'] as const),
      eb.case().when(dialect.contains('message', p.text)).then(eb.ref('message')).end().as('found'),
    ])
    .where('workspace_id', '=', p.workspaceId)
    .$if(!isStart, (query) =>
      query.where((eb) => eb(eb.refTuple('import_id', 'number'), '>', eb.tuple(p.importId, p.number))),
    )
    .orderBy('import_id')
    .orderBy('number')
    .limit(p.limit),
)
const items = statementFamily<Slice & ItemKey, SliceShape>()((sql, p, { isStart }, dialect) =>
  sql
    .selectFrom('batch_item')
    .select((eb) => [
      ...(['batch_id as batchId', 'number'] as const),
      eb.case().when(dialect.contains('message', p.text)).then(eb.ref('message')).end().as('found'),
    ])
    .where('workspace_id', '=', p.workspaceId)
    .$if(!isStart, (query) =>
      query.where((eb) => eb(eb.refTuple('batch_id', 'number'), '>', eb.tuple(p.batchId, p.number))),
    )
    .orderBy('batch_id')
    .orderBy('number')
    .limit(p.limit),
)
const deliveries = statementFamily<Slice & DeliveryKey, SliceShape>()((sql, p, { isStart }, dialect) =>
  sql
    .selectFrom('delivery')
    .select((eb) => [
      'id',
      eb.case().when(dialect.contains('payload', p.text)).then(eb.ref('payload')).end().as('found'),
      eb.case().when(dialect.contains('response', p.text)).then(eb.ref('response')).end().as('answer'),
    ])
    .where('workspace_id', '=', p.workspaceId)
    .$if(!isStart, (query) => query.where('id', '>', p.id))
    .orderBy('id')
    .limit(p.limit),
)

/** Where the id of a player is stored in texts. */
export interface FoundTexts {
  readonly responses: readonly ResponseKey[]
  readonly issues: readonly IssueKey[]
  readonly items: readonly ItemKey[]
  readonly deliveries: readonly FoundDelivery[]
}

/** A row of a slice. */
interface Candidate<Key> {
  readonly key: Key
  /** Whether a text of the row contains the id. */
  readonly isFound: boolean
}

/**
 * Finds the stored responses, results of imports and batches, and sent events of a workspace that contain the id of a player. Other
 * requests run between the slices.
 */
export async function findTexts(
  read: Queries,
  { workspaceId, userIds }: { readonly workspaceId: string; readonly userIds: readonly string[] },
): Promise<FoundTexts> {
  const containsId = createIdFinder(userIds)
  const namesPlayer = createJsonFinder(userIds)
  const isIn = (text: string | null) => text !== null && containsId(text)
  const isInJson = (json: string | null) => json !== null && namesPlayer(json)

  /** @param readSlice reads the rows after a key, or the first ones @returns the keys of those that contain the id */
  async function find<Key>(
    readSlice: (slice: Slice, after: Key | null) => Promise<readonly Candidate<Key>[]>,
  ): Promise<Key[]> {
    // A text can contain several forms of the id.
    const keys = new Map<string, Key>()
    for (const text of userIds) {
      let after: Key | null = null
      for (let isLast = false; !isLast; ) {
        const rows: readonly Candidate<Key>[] = await readSlice(
          { workspaceId, text, limit: SLICE_ROWS },
          after,
        )
        for (const { key, isFound } of rows) if (isFound) keys.set(JSON.stringify(key), key)
        isLast = rows.length < SLICE_ROWS
        after = rows.at(-1)?.key ?? null
        await yieldToEventLoop()
      }
    }
    return [...keys.values()]
  }

  return {
    responses: await find<ResponseKey>(async (slice, after) => {
      const key = after ?? { actorId: '', route: '', key: '' }
      const rows = await read.all(responses({ isStart: after === null }), { ...slice, ...key })
      return rows.map(({ found, ...rest }) => ({ key: rest, isFound: isInJson(found) }))
    }),
    issues: await find<IssueKey>(async (slice, after) => {
      const key = after ?? { importId: '', number: 0 }
      const rows = await read.all(issues({ isStart: after === null }), { ...slice, ...key })
      return rows.map(({ found, ...rest }) => ({ key: rest, isFound: isIn(found) }))
    }),
    items: await find<ItemKey>(async (slice, after) => {
      const key = after ?? { batchId: '', number: 0 }
      const rows = await read.all(items({ isStart: after === null }), { ...slice, ...key })
      return rows.map(({ found, ...rest }) => ({ key: rest, isFound: isIn(found) }))
    }),
    deliveries: await find<FoundDelivery>(async (slice, after) => {
      const rows = await read.all(deliveries({ isStart: after === null }), { ...slice, id: after?.id ?? '' })
      return rows.map(({ id, found, answer }) => {
        const isInPayload = isInJson(found)
        return { key: { id, isInPayload }, isFound: isInPayload || isIn(answer) }
      })
    }),
  }
}
