import type { Actor } from '@reeve/core'
import { isPseudonym, listSanctionKeys } from '@reeve/core/player-hashes'
import { type Queries, type RecordTable, statement, yieldToEventLoop } from '@reeve/db'
import { findVersionAt } from '../records/as-of.ts'
import { findRecord, findSanctions } from '../records/record-store.ts'
import { isInForce, isSanction, type Sanction } from '../records/sanction.ts'

/** The other sanctions in force of a player who gets one back. */

/** Sanctions that one statement reads. */
const ROWS_PER_STEP = 500

const sanctionsFromCase = statement<{
  workspaceId: string
  action: Sanction['action']
  from: number
  limit: number
}>()((sql, p, dialect) =>
  sql
    .selectFrom(dialect.withIndexHint('record', 'record_in_force_by_case'))
    .select(['id', 'user_id', 'case_number'])
    .where('workspace_id', '=', p.workspaceId)
    .where('action', '=', p.action)
    .where((eb) => eb('in_force', '=', eb.lit(1)))
    .where('case_number', '>=', p.from)
    .orderBy('case_number')
    .limit(p.limit),
)

/** The other sanctions of a player of the same kind; some may have expired. */
export async function findOtherSanctions(db: Queries, actor: Actor, record: Sanction): Promise<Sanction[]> {
  const { id, action, user_id } = record
  const sanctions = await findSanctions(db, actor, action, user_id)
  if (isPseudonym(user_id)) sanctions.push(...(await findUnderId(db, actor, record)))
  return sanctions.filter((sanction) => sanction.id !== id)
}

/**
 * The sanctions under an ID of the player who has a pseudonym. A pseudonym does not tell of which ID, so all sanctions in force are
 * compared with it: also old ones, because an undo can have brought one back.
 */
async function findUnderId(
  db: Queries,
  actor: Actor,
  { workspace_id: workspaceId, action, user_id: pseudonym }: Sanction,
): Promise<Sanction[]> {
  const found: Sanction[] = []
  for (let from = 0; ; ) {
    const rows = await db.all(sanctionsFromCase, { workspaceId, action, from, limit: ROWS_PER_STEP })
    for (const { id, user_id } of rows) {
      if (!listSanctionKeys([user_id], actor).keys.includes(pseudonym)) continue
      const row = await findRecord(db, workspaceId, id)
      if (row && isSanction(row)) found.push(row)
    }
    const last = rows.at(-1)
    if (!last || rows.length < ROWS_PER_STEP) return found
    from = last.case_number + 1
    await yieldToEventLoop()
  }
}

/**
 * Whether two sanctions of a player were in force at the same time, under two forms that were two players then: the later one has not
 * replaced the earlier one.
 */
export async function wereBothInForce(
  db: Queries,
  actor: Actor,
  one: RecordTable,
  other: RecordTable,
): Promise<boolean> {
  if (one.user_id === other.user_id) return false
  const [earlier, later] = one.case_number < other.case_number ? [one, other] : [other, one]
  return isInForce(await findVersionAt(db, actor, earlier, later.created_at), later.created_at)
}
