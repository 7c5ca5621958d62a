import type { EndpointLabels, MoveMarker } from '../moved-marker.ts'

/** A table as the catalogue of an engine has it. */
export interface Table {
  readonly name: string
  readonly columns: readonly Column[]
  /** The columns of the primary key, in its order. */
  readonly key: readonly string[]
  /** The tables whose rows its own refer to. */
  readonly refersTo: readonly string[]
}

export interface Column {
  readonly name: string
  /** In the engine's own words. */
  readonly type: string
  readonly isBinary: boolean
}

/** The values of a row, in the order of the columns. */
export type Row = readonly unknown[]

/** One end of a move. Nobody else uses it until it is closed. */
export interface MoveEndpoint {
  readonly labels: EndpointLabels
  /** An error that is told as one of this place. */
  readonly createError: (message: string) => Error
  readonly marker: () => Promise<MoveMarker | null>
  readonly setMarker: (marker: MoveMarker) => Promise<void>
  /** Runs SQL that reads the same on every engine. */
  readonly query: (sql: string, values: readonly unknown[]) => Promise<Row[]>
  /** Brings the schema up to date. */
  readonly migrate: (now: () => number) => Promise<void>
  readonly close: () => Promise<void>
}

/** Where the data comes from. */
export interface MoveSource extends MoveEndpoint {
  /** @throws Error where another process of ours could write to it meanwhile */
  readonly assertExclusive: () => Promise<void>
}

/** Where the data goes. Its mark is null where it holds no half of a move. */
export interface MoveTarget extends MoveEndpoint {
  /** Why nothing can be moved to it, as a sentence; null where something can. */
  readonly notEmptyReason: string | null
  /** Marks a place that holds nothing as the target of a move. @throws Error where it holds something by now */
  readonly begin: (marker: MoveMarker) => Promise<void>
  readonly listTables: () => Promise<Table[]>
  /** Adds rows: all of them, or none. */
  readonly insertRows: (table: Table, rows: readonly Row[]) => Promise<void>
  /**
   * Puts what has arrived in use, and is the last that is done with it.
   * @returns where that is kept which it took the place of; null where there was none
   */
  readonly activate: (now: number) => Promise<string | null>
}

/** What a catalogue says of a column: its place in the primary key begins at 1, and is 0 where it is not part of it. */
export type CatalogueRow = readonly [table: string, column: string, type: string, keyPosition: number]

/** Tables as the rows of a catalogue tell of them, in the order of their columns. */
export function toTables(
  columns: readonly CatalogueRow[],
  references: readonly (readonly [table: string, to: string])[],
): Table[] {
  const names = [...new Set(columns.map(([table]) => table))]
  return names.map((name) => {
    const own = columns.filter(([table]) => table === name)
    const key = own.filter(([, , , keyPosition]) => keyPosition > 0).sort((one, other) => one[3] - other[3])
    if (key.length === 0) throw new Error(`the table ${name} has no primary key to carry its rows by`)
    return {
      name,
      columns: own.map(([, column, type]) => ({ name: column, type, isBinary: /^(blob|bytea)$/.test(type) })),
      key: key.map(([, column]) => column),
      refersTo: references.filter(([table]) => table === name).map(([, to]) => to),
    }
  })
}

/** Tables in an order in which each comes after those that it refers to. */
export function sortByReferences(tables: readonly Table[]): Table[] {
  const ordered: Table[] = []
  let rest = [...tables]
  while (rest.length > 0) {
    const ready = rest.filter(({ name, refersTo }) =>
      rest.every((other) => other.name === name || !refersTo.includes(other.name)),
    )
    if (ready.length === 0) throw new Error('tables that refer to each other in a circle cannot be carried')
    ordered.push(...ready)
    rest = rest.filter((table) => !ready.includes(table))
  }
  return ordered
}
