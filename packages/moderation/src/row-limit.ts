import { AppError } from '@reeve/core'
import { type Queries, statement } from '@reeve/db'

/**
 * How many rows a workspace can have in tables that lists of staff read, and that a roll-back replaces row by row.
 */
const limits = {
  assignment: {
    rows: 10_000,
    message: 'cases can be assigned at the same time. Unassign some that are done.',
  },
  pinned_note: { rows: 10_000, message: 'notes can be pinned. Unpin some first.' },
  player_link: { rows: 20_000, message: 'links can exist. Delete some first.' },
} as const

type LimitedTable = keyof typeof limits

type Offset = { workspaceId: string; offset: number }

const assignmentAt = statement<Offset>()((sql, p) =>
  sql
    .selectFrom('assignment')
    .select('workspace_id')
    .where('workspace_id', '=', p.workspaceId)
    .limit(1)
    .offset(p.offset),
)
const pinnedNoteAt = statement<Offset>()((sql, p) =>
  sql
    .selectFrom('pinned_note')
    .select('workspace_id')
    .where('workspace_id', '=', p.workspaceId)
    .limit(1)
    .offset(p.offset),
)
const playerLinkAt = statement<Offset>()((sql, p) =>
  sql
    .selectFrom('player_link')
    .select('workspace_id')
    .where('workspace_id', '=', p.workspaceId)
    .limit(1)
    .offset(p.offset),
)
const rowAt = { assignment: assignmentAt, pinned_note: pinnedNoteAt, player_link: playerLinkAt } as const

/** @throws AppError `conflict` if the workspace has as many rows of the table as it can have */
export async function assertUnderRowLimit(
  db: Queries,
  workspaceId: string,
  table: LimitedTable,
): Promise<void> {
  const { rows, message } = limits[table]
  if (await db.first(rowAt[table], { workspaceId, offset: rows - 1 }))
    throw new AppError('conflict', { message: `In a workspace at most ${rows} ${message}` })
}
