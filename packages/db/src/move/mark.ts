/** What a database says of the move that it is, or was, an end of. */
export interface Mark {
  /** The same at both ends. */
  readonly id: string
  readonly role: 'from' | 'to'
  /** The name of the other end. */
  readonly other: string
  /** Epoch milliseconds; null while the move is not done. */
  readonly doneAt: number | null
}

/** The table that holds the mark. Only a move makes it, and it stays behind when everything else is carried. */
export const MARK_TABLE = 'move'

/** The steps that put a mark in the place of another one, as SQL of every engine; all of them happen, or none. */
export const marking = ({ id, role, other, doneAt }: Mark): readonly (readonly [string, unknown[]])[] => [
  [
    `create table if not exists ${MARK_TABLE} (id text not null, role text not null, other text not null, done_at bigint)`,
    [],
  ],
  [`delete from ${MARK_TABLE}`, []],
  [`insert into ${MARK_TABLE} (id, role, other, done_at) values ($1, $2, $3, $4)`, [id, role, other, doneAt]],
]

/** Reads the mark where there is the table, as SQL of every engine. */
export const READING = `select id, role, other, done_at from ${MARK_TABLE}`

/** Removes the mark of a move from here that broke off: whoever uses the data changes what the move has read. */
export const FORGETTING = `delete from ${MARK_TABLE} where role = 'from' and done_at is null`

/** @param rows what `READING` found, as lists of values */
export function markIn(rows: readonly (readonly unknown[])[]): Mark | null {
  const [row] = rows
  if (!row) return null
  const [id, role, other, doneAt] = row as [string, Mark['role'], string, number | null]
  return { id, role, other, doneAt }
}

export const isGone = (mark: Mark | null): mark is Mark & { doneAt: number } =>
  mark?.role === 'from' && mark.doneAt !== null
export const isHalf = (mark: Mark | null): mark is Mark => mark?.role === 'to' && mark.doneAt === null

/** How an end is told of, and what can be done with it. */
export interface Words {
  /** A folder, or a database and its server; never with a password. */
  readonly name: string
  /** What brings data back to it. */
  readonly wayBack: string
  /** What gives up a half of a move in it. */
  readonly giveUp: string
}

export const wordsOfFolder = (folder: string, arriving: string): Words => ({
  name: folder,
  wayBack: `\`reeve move --to ${folder}\``,
  giveUp: `remove ${arriving}`,
})

export const wordsOfServer = (database: string, host: string, port: number): Words => ({
  name: `the database ${database} at ${host}:${port}`,
  wayBack: '`reeve move --to <an empty database>`',
  giveUp: 'drop the database and make it anew (dropdb, createdb)',
})

/** Why an end that is marked cannot be served; null where it can. */
export function refusalOf(mark: Mark | null, { name, wayBack, giveUp }: Words): string | null {
  if (isGone(mark)) {
    return (
      `The data of ${name} was moved to ${mark.other} (${new Date(mark.doneAt).toISOString().slice(0, 19)}Z): let ` +
      `REEVE_DATABASE_URL or REEVE_DATA_DIR name that place. With that set, ${wayBack} brings it back. What lies here is ` +
      'as it was then; nothing was removed.'
    )
  }
  if (isHalf(mark)) {
    return (
      `A move from ${mark.other} to ${name} was begun and is not done. Run the same \`reeve move\` again, which goes on ` +
      `where it stopped; or ${giveUp} to give it up.`
    )
  }
  return null
}
