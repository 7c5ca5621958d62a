/**
 * How the values of a column are stored. Queries see `id`, `id_or_text`, `hash` and `compact_json` as text, which
 * `column-encoding.ts` stores as bytes, `word` as the word, and `int32` as a number.
 */
export type ColumnType =
  | 'text'
  | 'integer'
  | 'int32'
  | 'blob'
  | 'id'
  | 'id_or_text'
  | 'hash'
  | 'compact_json'
  | 'word'

/** A column of a table. `Value` is the type that queries return. */
export interface Column<Value> {
  readonly type: ColumnType
  readonly isNullable: boolean
  /** Exists only in the type system; never set. */
  readonly value?: Value
}

export const text = <Value extends string = string>(): Column<Value> => ({ type: 'text', isNullable: false })

export const integer = (): Column<number> => ({ type: 'integer', isNullable: false })

/** A number below 2^31, which takes half as much space on PostgreSQL. */
export const int32 = (): Column<number> => ({ type: 'int32', isNullable: false })

export const blob = (): Column<Uint8Array> => ({ type: 'blob', isNullable: false })

/** A UUID, or a name in `NAMED_IDS`. */
export const id = (): Column<string> => ({ type: 'id', isNullable: false })

/** A UUID in most rows, any text in others: who did something, for example, can be an account or the command line. */
export const idOrText = (): Column<string> => ({ type: 'id_or_text', isNullable: false })

/** A SHA-256 in hex. */
export const hash = (): Column<string> => ({ type: 'hash', isNullable: false })

/** A JSON text whose frequent parts take a byte each. */
export const compactJson = (): Column<string> => ({ type: 'compact_json', isNullable: false })

/** A text that is one of few words in most rows. */
export const word = <Value extends string = string>(): Column<Value> => ({ type: 'word', isNullable: false })

export const nullable = <Value>({ type }: Column<Value>): Column<Value | null> => ({ type, isNullable: true })

/** The row type of a table with these columns. */
export type Row<Columns> = {
  -readonly [Name in keyof Columns]: Columns[Name] extends Column<infer Value> ? Value : never
}
