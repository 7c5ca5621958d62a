/** What a database says of the move that it is, or was, an end of. */
export interface MoveMarker {
  /** The same at both ends. */
  readonly id: string
  readonly role: 'from' | 'to'
  /** The name of the other end. */
  readonly other: string
  /** Epoch milliseconds; null while the move is not done. */
  readonly doneAt: number | null
}

/** The table that holds the mark. Only a move makes it, and it stays behind when everything else is carried. */
export const MARKER_TABLE = 'move'

/** The steps that put a mark in the place of another one, as SQL of every engine; all of them happen, or none. */
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

/** Reads the mark where there is the table, as SQL of every engine. */
export const SELECT_MARKER = `select id, role, other, done_at from ${MARKER_TABLE}`

/** Removes the mark of a move from here that broke off: whoever uses the data changes what the move has read. */
export const DELETE_UNFINISHED_MARKER = `delete from ${MARKER_TABLE} where role = 'from' and done_at is null`

/** @param rows what `READING` found, as lists of values */
export function parseMarker(rows: readonly (readonly unknown[])[]): MoveMarker | null {
  const [row] = rows
  if (!row) return null
  const [id, role, other, doneAt] = row as [string, MoveMarker['role'], string, number | null]
  return { id, role, other, doneAt }
}

export const isMovedAway = (marker: MoveMarker | null): marker is MoveMarker & { doneAt: number } =>
  marker?.role === 'from' && marker.doneAt !== null
export const isIncomplete = (marker: MoveMarker | null): marker is MoveMarker =>
  marker?.role === 'to' && marker.doneAt === null

/** How an end is told of, and what can be done with it. */
export interface EndpointLabels {
  /** A folder, or a database and its server; never with a password. */
  readonly name: string
  /** What brings data back to it. */
  readonly moveBackCommand: string
  /** What gives up a half of a move in it. */
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
  abandonInstruction: 'drop the database and make it anew (dropdb, createdb)',
})

/** Why an end that is marked cannot be served; null where it can. */
export function toMovedReason(
  marker: MoveMarker | null,
  { name, moveBackCommand, abandonInstruction }: EndpointLabels,
): string | null {
  if (isMovedAway(marker)) {
    return (
      `The data of ${name} was moved to ${marker.other} (${new Date(marker.doneAt).toISOString().slice(0, 19)}Z): let ` +
      `REEVE_DATABASE_URL or REEVE_DATA_DIR name that place. With that set, ${moveBackCommand} brings it back. What lies here is ` +
      'as it was then; nothing was removed.'
    )
  }
  if (isIncomplete(marker)) {
    return (
      `A move from ${marker.other} to ${name} was begun and is not done. Run the same \`reeve move\` again, which goes on ` +
      `where it stopped; or ${abandonInstruction} to give it up.`
    )
  }
  return null
}
