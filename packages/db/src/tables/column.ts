/** A column of a table. `Value` is the type that queries return. */
export interface Column<Value> {
  readonly type: 'text' | 'integer' | 'blob'
  readonly isNullable: boolean
  /** Exists only in the type system; never set. */
  readonly value?: Value
}

export const text = <Value extends string = string>(): Column<Value> => ({ type: 'text', isNullable: false })

export const integer = (): Column<number> => ({ type: 'integer', isNullable: false })

export const blob = (): Column<Uint8Array> => ({ type: 'blob', isNullable: false })

export const nullable = <Value>({ type }: Column<Value>): Column<Value | null> => ({ type, isNullable: true })

/** The row type of a table with these columns. */
export type Row<Columns> = {
  -readonly [Name in keyof Columns]: Columns[Name] extends Column<infer Value> ? Value : never
}
