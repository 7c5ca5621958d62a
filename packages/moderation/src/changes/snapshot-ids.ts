import type { HistoryPosition } from '@reeve/audit'
import { type Actor, type SanctionKind, wire } from '@reeve/core'
import { type Queries, statement, yieldToEventLoop } from '@reeve/db'
import { hasExpired } from '../records/sanction.ts'
import { IdSetBuilder } from './id-set.ts'
import { toSortedKinds } from './snapshot.ts'

const expiriesAfter = statement<{
  workspaceId: string
  kind: SanctionKind
  after: string
  limit: number
}>()((sql, p, dialect) =>
  sql
    .selectFrom(dialect.withIndexHint('record', 'record_in_force'))
    .select(['user_id', 'expires_at'])
    .where('workspace_id', '=', p.workspaceId)
    .where('action', '=', p.kind)
    .where((eb) => eb('in_force', '=', eb.lit(1)))
    .where('user_id', '>', p.after)
    .orderBy('user_id')
    .limit(p.limit),
)

/** How many rows one statement reads, which takes SQLite about 10 ms. */
const ROWS_PER_STEP = 5000

/**
 * Reads all sanctions in force as sets of ids. Together with the changes since `sequence`, which was read before, they are exact.
 * @param position that of the workspace now
 * @param now epoch milliseconds; sanctions that have expired are left out
 */
export async function readSnapshotIds(
  db: Queries,
  { epoch, sequence }: HistoryPosition,
  { workspaceId, platforms }: Pick<Actor, 'workspaceId' | 'platforms'>,
  kinds: readonly SanctionKind[] | undefined,
  now: number,
) {
  const sets = []
  for (const kind of toSortedKinds(kinds)) {
    const builder = new IdSetBuilder()
    const others: { userId: string; expiresAt: string | null }[] = []
    for (let after = '', isComplete = false; !isComplete; ) {
      const rows = await db.all(expiriesAfter, { workspaceId, kind, after, limit: ROWS_PER_STEP })
      for (const row of rows) {
        if (hasExpired(row, now)) continue
        const { user_id: userId, expires_at } = row
        if (!builder.add(userId, expires_at))
          others.push({ userId, expiresAt: wire.writeNullableTime(expires_at) })
      }
      after = rows.at(-1)?.user_id ?? after
      isComplete = rows.length < ROWS_PER_STEP
      await yieldToEventLoop()
    }
    const { count, ids, expiries } = builder.encode()
    sets.push({ kind, count: String(count), ids, expiries, others })
  }
  return { sets, sequence: String(sequence), epoch, platforms: [...platforms] }
}
