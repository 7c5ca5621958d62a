import type { HistoryPosition } from '@reeve/audit'
import { type Actor, AppError, parsePage, type SanctionKind, sanctionKinds } from '@reeve/core'
import { type Queries, yieldToEventLoop } from '@reeve/db'
import { hasExpired } from '../records/sanction.ts'
import { presentSanction, type SanctionInForce, sanctionsAfter } from '../sanctions.ts'
import { SNAPSHOT_PAGE, type SnapshotInput } from './model.ts'

/** How many rows one statement reads, which takes SQLite about 3 ms. */
const ROWS_PER_STEP = 1000
/** The size of the reasons of a page, in bytes, at which it ends early: with the sanction that reaches it. */
const MAX_REASON_BYTES = 4 * 1024 * 1024

const LIST = 'snapshot'

/**
 * Reads a page of the sanctions in force. The pages are read at different times: together with the changes since `sequence`,
 * which was read before the first page, they are exact.
 * @param position that of the workspace now
 * @param now epoch milliseconds; sanctions that have expired are left out
 * @throws AppError `cursor_gone` if the history has changed since the first page
 */
export async function readSnapshotPage(
  db: Queries,
  position: HistoryPosition,
  { workspaceId, platforms }: Pick<Actor, 'workspaceId' | 'platforms'>,
  { kinds, limit = SNAPSHOT_PAGE, cursor }: Pick<SnapshotInput, 'kinds' | 'limit' | 'cursor'>,
  now: number,
) {
  const query = { limit, ...(kinds && { kinds }), ...(cursor !== undefined && { cursor }) }
  const page = parsePage(LIST, query, ['string', 'number', 'string', 'string'])
  const [epoch, sequence, firstKind, firstAfter] = page.after ?? [position.epoch, position.sequence, '', '']
  if (epoch !== position.epoch)
    throw new AppError('cursor_gone', {
      message: 'The history of the workspace has changed. Read the snapshot from its first page.',
    })
  const sanctions: SanctionInForce[] = []
  const response = (nextCursor: string | null) => ({
    sanctions,
    sequence: String(sequence),
    epoch: position.epoch,
    platforms: [...platforms],
    nextCursor,
  })
  let bytes = 0
  const isFull = () => sanctions.length >= page.limit || bytes >= MAX_REASON_BYTES
  let after = String(firstAfter)
  let rowLimit = Math.min(ROWS_PER_STEP, page.limit)
  for (const kind of toSortedKinds(kinds)) {
    if (kind < String(firstKind)) continue
    for (;;) {
      const rows = await db.all(sanctionsAfter, { workspaceId, kind, after, limit: rowLimit })
      for (const row of rows) {
        if (isFull()) break
        after = row.user_id
        if (hasExpired(row, now)) continue
        sanctions.push(presentSanction(kind, row))
        bytes += Buffer.byteLength(row.reason ?? '')
      }
      if (isFull()) return response(page.toCursor([position.epoch, Number(sequence), kind, after]))
      if (rows.length < rowLimit) break
      // A page of few sanctions can begin after many that have expired.
      rowLimit = ROWS_PER_STEP
      await yieldToEventLoop()
    }
    after = ''
  }
  return response(null)
}

/**
 * The strong entity tag of a response of the snapshot. Between two changes, only the passing of time makes sanctions expire, which
 * a client that has their `expiresAt` knows.
 * @param url its query is part of the tag
 */
export const createSnapshotEtag = ({ epoch, sequence }: HistoryPosition, url: string): string =>
  `"${epoch}-${sequence}-${Bun.hash(url.slice(url.indexOf('?') + 1)).toString(36)}"`

/** The kinds in the order in which they are read. */
export const toSortedKinds = (kinds: readonly SanctionKind[] = sanctionKinds): readonly SanctionKind[] =>
  [...kinds].sort()
