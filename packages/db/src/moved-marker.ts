/** The marker that a move leaves in its source and in its target. */
export interface MoveMarker {
  /** The id of the move, the same on both sides. */
  readonly id: string
  readonly role: 'from' | 'to'
  /** The name of the other side. */
  readonly other: string
  /** Epoch milliseconds; null until the move is complete. */
  readonly doneAt: number | null
}

/** The table of the marker. Only a move creates it, and does not copy it. */
export const MARKER_TABLE = 'move'

/** Replaces the marker, as SQL for every engine. Run the statements in one transaction. */
export const upsertMarkerSql = ({
  id,
  role,
  other,
  doneAt,
}: MoveMarker): readonly (readonly [string, unknown[]])[] => [
  [
    `create table if not exists ${MARKER_TABLE} (id text not null, role text not null, other text not null, done_at bigint)`,
    [],
  ],
  [`delete from ${MARKER_TABLE}`, []],
  [
    `insert into ${MARKER_TABLE} (id, role, other, done_at) values ($1, $2, $3, $4)`,
    [id, role, other, doneAt],
  ],
]

/** Reads the marker where its table exists, as SQL for every engine. */
export const SELECT_MARKER = `select id, role, other, done_at from ${MARKER_TABLE}`

/** Deletes the marker of an unfinished move from this database. Once the data is in use again, the move cannot be resumed. */
export const DELETE_UNFINISHED_MARKER = `delete from ${MARKER_TABLE} where role = 'from' and done_at is null`

/** @param rows the rows of `SELECT_MARKER` as arrays of values */
export function parseMarker(rows: readonly (readonly unknown[])[]): MoveMarker | null {
  const [row] = rows
  if (!row) return null
  const [id, role, other, doneAt] = row as [string, MoveMarker['role'], string, number | null]
  return { id, role, other, doneAt }
}

/** Whether the data of the database was moved elsewhere. */
export const isMovedAway = (marker: MoveMarker | null): marker is MoveMarker & { doneAt: number } =>
  marker?.role === 'from' && marker.doneAt !== null

/** Whether the database is the target of a move that is not complete. */
export const isIncomplete = (marker: MoveMarker | null): marker is MoveMarker =>
  marker?.role === 'to' && marker.doneAt === null

/** How messages refer to one side of a move. */
export interface EndpointLabels {
  /** The folder, or the database and its server; without the password. */
  readonly name: string
  /** The command that moves the data back to it. */
  readonly moveBackCommand: string
  /** How to abandon an incomplete move to it. */
  readonly abandonInstruction: string
}

export const labelsForFolder = (folder: string, incomingPath: string): EndpointLabels => ({
  name: folder,
  moveBackCommand: `\`reeve move --to ${folder}\``,
  abandonInstruction: `remove ${incomingPath}`,
})

export const labelsForServer = (database: string, host: string, port: number): EndpointLabels => ({
  name: `the database ${database} at ${host}:${port}`,
  moveBackCommand: '`reeve move --to <an empty database>`',
  abandonInstruction: 'drop and recreate the database (dropdb, createdb)',
})

/** Why a database with this marker cannot be used; null where it can. */
export function toMovedReason(
  marker: MoveMarker | null,
  { name, moveBackCommand, abandonInstruction }: EndpointLabels,
): string | null {
  if (isMovedAway(marker)) {
    return (
      `The data of ${name} was moved to ${marker.other} (${new Date(marker.doneAt).toISOString().slice(0, 19)}Z). Set ` +
      `REEVE_DATABASE_URL or REEVE_DATA_DIR to that location. To move it back, run ${moveBackCommand} with that setting. ` +
      'This copy is unchanged since the move.'
    )
  }
  if (isIncomplete(marker)) {
    return (
      `A move from ${marker.other} to ${name} is not complete. Run the same \`reeve move\` again to resume it, or ` +
      `${abandonInstruction} to abandon it.`
    )
  }
  return null
}
