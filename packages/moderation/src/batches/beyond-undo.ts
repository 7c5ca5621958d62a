import { findPersonOfKey } from '@reeve/auth'
import { type Actor, hasPermission } from '@reeve/core'
import { type Queries, statement, yieldToEventLoop } from '@reeve/db'
import { listActors } from '../players/actors.ts'
import { type ActorChanges, hasOlderEntries } from './actor-changes.ts'

/** What an undo leaves alone: changes of anything but records, and what the same person did as somebody else. */

/** Entries of the log that one statement examines: a few milliseconds. */
const WINDOW = 5000
/** How many API keys of a person are considered. */
const MAX_KEYS = 100

/** What an undo is about, and what it consists of itself. */
const COVERED: ReadonlySet<string> = new Set(['record', 'batch'])

const keyById = statement<{ workspaceId: string; id: string }>({ isLookup: true })((sql, p) =>
  sql
    .selectFrom('api_key')
    .select(['id', 'created_by'])
    .where('workspace_id', '=', p.workspaceId)
    .where('id', '=', p.id),
)
const keysOfPerson = statement<{ workspaceId: string; personId: string; limit: number }>()((sql, p) =>
  sql
    .selectFrom('api_key')
    .select('id')
    .where('workspace_id', '=', p.workspaceId)
    .where('created_by', '=', p.personId)
    .orderBy('id', 'desc')
    .limit(p.limit),
)
const changeCounts = statement<{
  workspaceId: string
  actorIds: readonly string[]
  from: number
  before: number
  since: number
}>()((sql, p, dialect) =>
  sql
    .selectFrom('audit')
    .select((eb) => ['actor_id', 'target_kind', eb.fn.countAll<number>().as('count')])
    .where('workspace_id', '=', p.workspaceId)
    .where('sequence', '>=', p.from)
    .where('sequence', '<', p.before)
    .where('at', '>=', p.since)
    .where(dialect.inList('actor_id', p.actorIds))
    .groupBy(['actor_id', 'target_kind']),
)

/** What an undo of somebody leaves alone. */
export interface BeyondUndo {
  /** How often they changed something else, by its kind in the audit log, most often first; null if the reader may not view the log. */
  readonly otherChanges: readonly { readonly kind: string; readonly count: number }[] | null
  /** The account and the API keys of the same person that changed records too. */
  readonly otherActors: readonly { readonly id: string; readonly name: string; readonly count: number }[]
}

/** Finds what an undo leaves alone, up to a sequence of the audit log. */
export async function findBeyondUndo(
  db: Queries,
  reader: Actor,
  { workspaceId, actorId, since }: ActorChanges,
  untilSequence: number,
): Promise<BeyondUndo> {
  const key = await db.first(keyById, { workspaceId, id: actorId })
  const personId = key ? findPersonOfKey(key) : actorId
  const keys = await db.all(keysOfPerson, { workspaceId, personId, limit: MAX_KEYS })
  const actorIds = [...new Set([actorId, personId, ...keys.map(({ id }) => id)])]
  const kinds = new Map<string, number>()
  const actors = new Map<string, number>()
  const add = (counts: Map<string, number>, name: string, count: number) =>
    counts.set(name, (counts.get(name) ?? 0) + count)
  for (let before = untilSequence + 1; before > 0; before -= WINDOW) {
    const from = Math.max(0, before - WINDOW)
    for (const row of await db.all(changeCounts, { workspaceId, actorIds, from, before, since })) {
      const count = Number(row.count)
      if (row.actor_id !== actorId && row.target_kind === 'record') add(actors, row.actor_id, count)
      if (row.actor_id === actorId && !COVERED.has(row.target_kind)) add(kinds, row.target_kind, count)
    }
    if (!(await hasOlderEntries(db, workspaceId, from, since))) break
    await yieldToEventLoop()
  }
  return {
    otherChanges: hasPermission(reader, 'audit.view')
      ? sortByCount(kinds).map(([kind, count]) => ({ kind, count }))
      : null,
    otherActors: await nameActors(db, reader, actors),
  }
}

async function nameActors(db: Queries, reader: Actor, counts: ReadonlyMap<string, number>) {
  const ids = [...counts.keys()]
  const { actors } = ids.length === 0 ? { actors: [] } : await listActors(db, reader, { ids })
  const names = new Map(actors.map(({ id, name }) => [id, name]))
  return sortByCount(counts).map(([id, count]) => ({ id, name: names.get(id) ?? '', count }))
}

const sortByCount = (counts: ReadonlyMap<string, number>): [string, number][] =>
  [...counts].toSorted(([, one], [, other]) => other - one)
