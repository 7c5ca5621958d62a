import { bytesToUuid } from '../column-encoding.ts'
import { toIndexedName } from '../indexed-name.ts'
import type { EndpointLabels, MoveMarker } from '../moved-marker.ts'
import type { IndexedName } from '../statement.ts'

/** A table in the catalog of an engine. */
export interface Table {
  readonly name: string
  readonly columns: readonly Column[]
  /** The columns of the primary key, in its order. */
  readonly key: readonly string[]
  /** The tables that its foreign keys refer to. */
  readonly refersTo: readonly string[]
}

export interface Column {
  readonly name: string
  /** The engine's name of the type. */
  readonly type: string
  /** Whether it contains the bytes of images or archives. */
  readonly isLarge: boolean
}

/** The values of a row, in the order of the columns. On every engine, ids and hashes are their bytes. */
export type Row = readonly unknown[]

/** The source or the target of a move. No other process uses it until it is closed. */
export interface MoveEndpoint {
  readonly labels: EndpointLabels
  /** Creates an error of the class for this kind of location. */
  readonly createError: (message: string) => Error
  readonly marker: () => Promise<MoveMarker | null>
  readonly setMarker: (marker: MoveMarker) => Promise<void>
  /** Runs SQL that every engine understands. */
  readonly query: (sql: string, values: readonly unknown[]) => Promise<Row[]>
  /** Applies the missing migrations. */
  readonly migrate: (now: () => number) => Promise<void>
  readonly close: () => Promise<void>
}

/** The location that the data is copied from. */
export interface MoveSource extends MoveEndpoint {
  /** @throws Error where another Reeve process could write to it */
  readonly assertExclusive: () => Promise<void>
}

/** The location that the data is copied to. Its marker is null where it has no incomplete move. */
export interface MoveTarget extends MoveEndpoint {
  /** Why data cannot be moved to it, as a sentence; null where it can. */
  readonly notEmptyReason: string | null
  /** Marks an empty location as the target of a move. @throws Error where it is not empty any more */
  readonly begin: (marker: MoveMarker) => Promise<void>
  readonly listTables: () => Promise<Table[]>
  /** Inserts rows in one transaction, and names into their index. */
  readonly insertRows: (table: Table, rows: readonly Row[]) => Promise<void>
  /** Continues the numbers of names after those that were copied. */
  readonly continueNumbers: () => Promise<void>
  /**
   * Puts the copied data into use, as the last step of a move.
   * @returns the path of the database that it replaced; null where there was none
   */
  readonly activate: (now: number) => Promise<string | null>
}

/** A column in a catalog. Its position in the primary key starts at 1; it is 0 for other columns. */
export type CatalogRow = readonly [table: string, column: string, type: string, keyPosition: number]

/** Groups the rows of a catalog by table. @throws Error where a table has no primary key */
export function toTables(
  columns: readonly CatalogRow[],
  references: readonly (readonly [table: string, to: string])[],
): Table[] {
  const names = [...new Set(columns.map(([table]) => table))]
  return names.map((name) => {
    const own = columns.filter(([table]) => table === name)
    const key = own.filter(([, , , keyPosition]) => keyPosition > 0).sort((one, other) => one[3] - other[3])
    if (key.length === 0) throw new Error(`the table ${name} has no primary key to copy its rows by`)
    return {
      name,
      columns: own.map(([, column, type]) => ({ name: column, type, isLarge: column === 'bytes' })),
      key: key.map(([, column]) => column),
      refersTo: references.filter(([table]) => table === name).map(([, to]) => to),
    }
  })
}

/** Sorts tables so that each comes after the tables that it refers to. @throws Error on circular references */
export function sortByReferences(tables: readonly Table[]): Table[] {
  const ordered: Table[] = []
  let rest = [...tables]
  while (rest.length > 0) {
    const ready = rest.filter(({ name, refersTo }) =>
      rest.every((other) => other.name === name || !refersTo.includes(other.name)),
    )
    if (ready.length === 0) throw new Error('tables with circular references cannot be copied')
    ordered.push(...ready)
    rest = rest.filter((table) => !ready.includes(table))
  }
  return ordered
}

/**
 * The rows of a page as the index of names stores them, which is not copied, because it differs between engines; null for
 * other tables.
 */
export const toIndexedNames = (
  { name, columns }: Table,
  rows: readonly Row[],
): readonly IndexedName[] | null =>
  name === 'player_name'
    ? rows.map((row) => {
        const values = Object.fromEntries(columns.map((column, index) => [column.name, row[index]]))
        const workspaceId = bytesToUuid(values.workspace_id as Uint8Array)
        return toIndexedName({ ...values, workspace_id: workspaceId } as never)
      })
    : null
