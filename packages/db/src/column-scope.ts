import type {
  AliasNode,
  ColumnNode,
  DeleteQueryNode,
  FunctionNode,
  IdentifierNode,
  InsertQueryNode,
  OperationNode,
  ParensNode,
  RawNode,
  ReferenceNode,
  SelectionNode,
  SelectQueryNode,
  TableNode,
  UpdateQueryNode,
} from 'kysely'
import { isTextEncodedType } from './column-encoding.ts'
import type { ColumnType } from './tables/column.ts'
import { tables } from './tables/index.ts'

/** A column of a result. Its type is null where it is no column of a table. */
export interface ResultColumn {
  readonly name: string
  readonly type: ColumnType | null
}

type Columns = ReadonlyMap<string, ColumnType | null>

/** The node inside `sql.ref(…)` or `sql.table(…)`. */
export function unwrapRaw(node: OperationNode | undefined): OperationNode | undefined {
  if (node?.kind !== 'RawNode') return node
  const { sqlFragments, parameters } = node as RawNode
  return parameters.length === 1 && sqlFragments.every((fragment) => fragment === '')
    ? unwrapRaw(parameters[0])
    : node
}

const tableName = (node: TableNode): string => node.table.identifier.name

const columnsOf = (table: string): Columns =>
  new Map(Object.entries(tables[table as keyof typeof tables] ?? {}).map(([name, { type }]) => [name, type]))

/** The tables that a query can refer to, and the types of their columns. */
export class Scope {
  readonly #sources = new Map<string, Columns>()
  readonly #outer: Scope | null

  /** @param outer the scope of the query around it */
  constructor(query: OperationNode, outer: Scope | null) {
    this.#outer = outer
    const { from, joins } = query as SelectQueryNode | DeleteQueryNode
    for (const node of from?.froms ?? []) this.#addSource(node)
    for (const { table } of joins ?? []) this.#addSource(table)
    const { table } = query as UpdateQueryNode
    if (table) this.#addSource(table)
    const { into } = query as InsertQueryNode
    if (into) {
      this.#addSource(into)
      this.#sources.set('excluded', columnsOf(tableName(into)))
    }
  }

  #addSource(node: OperationNode): void {
    if (node.kind === 'TableNode') {
      this.#sources.set(tableName(node as TableNode), columnsOf(tableName(node as TableNode)))
      return
    }
    if (node.kind !== 'AliasNode') throw new TypeError(`a query selects from a ${node.kind}`)
    const { node: source, alias } = node as AliasNode
    if (source.kind === 'SelectQueryNode') {
      const results = resultsOf(source, this.#outer)
      this.#sources.set(
        (alias as IdentifierNode).name,
        new Map(results.map(({ name, type }) => [name, type])),
      )
      return
    }
    // The alias of a table with an index hint is SQL, and its name is that of the table.
    const table = unwrapRaw(source)
    if (table?.kind !== 'TableNode') throw new TypeError('a query selects from SQL that names no table')
    const name = tableName(table as TableNode)
    this.#sources.set(
      alias.kind === 'IdentifierNode' ? (alias as IdentifierNode).name : name,
      columnsOf(name),
    )
  }

  /** The columns of a table of this query, or of all. */
  columns(alias?: string): ResultColumn[] {
    return [...this.#sources]
      .filter(([source]) => alias === undefined || source === alias)
      .flatMap(([, columns]) => [...columns].map(([name, type]) => ({ name, type })))
  }

  /**
   * The type of the column that an expression is; null where it is none.
   * @throws TypeError where the column is unknown or ambiguous
   */
  typeOf(node: OperationNode): ColumnType | null {
    switch (node.kind) {
      case 'ColumnNode':
        return this.#find((node as ColumnNode).column.name)
      case 'ReferenceNode': {
        const { column, table } = node as ReferenceNode
        return this.#find((column as ColumnNode).column.name, table && tableName(table))
      }
      case 'ParensNode':
        return this.typeOf((node as ParensNode).node)
      default:
        return null
    }
  }

  #find(column: string, alias?: string): ColumnType | null {
    const found = this.columns(alias).filter(({ name }) => name === column)
    const [first] = found
    if (first && found.every(({ type }) => type === first.type)) return first.type
    if (first) throw new TypeError(`the column ${column} is ambiguous: name its table`)
    if (this.#outer) return this.#outer.#find(column, alias)
    throw new TypeError(`there is no column ${alias ? `${alias}.` : ''}${column}`)
  }
}

/** The queries of a union; a single one for other queries. */
export const listArms = (query: OperationNode): OperationNode[] => [
  query,
  ...((query as SelectQueryNode).setOperations ?? []).map(({ expression }) => expression),
]

/** The columns of the result of a query. @param outer the scope of the query around it */
export function resultsOf(query: OperationNode, outer: Scope | null): ResultColumn[] {
  const [first = [], ...others] = listArms(query).map((arm) => {
    const scope = new Scope(arm, outer)
    return listSelections(arm).flatMap((selection) => resultsOfSelection(selection, scope))
  })
  return first.map(({ name, type }, index) => ({
    name,
    type: type ?? others.map((arm) => arm[index]?.type).find((other) => other) ?? null,
  }))
}

const listSelections = (query: OperationNode): readonly SelectionNode[] =>
  (query as SelectQueryNode).selections ?? (query as InsertQueryNode).returning?.selections ?? []

function resultsOfSelection({ selection }: SelectionNode, scope: Scope): ResultColumn[] {
  const node: OperationNode = selection
  if (node.kind === 'SelectAllNode') return scope.columns()
  if (node.kind === 'ReferenceNode' && (node as ReferenceNode).column.kind === 'SelectAllNode') {
    const { table } = node as ReferenceNode
    return scope.columns(table && tableName(table))
  }
  if (node.kind === 'AliasNode') {
    const { node: expression, alias } = node as AliasNode
    return [{ name: (alias as IdentifierNode).name, type: typeOfExpression(expression, scope) }]
  }
  const column = node.kind === 'ReferenceNode' ? (node as ReferenceNode).column : node
  return [{ name: (column as ColumnNode).column.name, type: scope.typeOf(node) }]
}

/** Whether a function of a column does not depend on its encoding. The size of a JSON text is its size on disk. */
const ignoresEncoding = (func: string, type: ColumnType): boolean =>
  func === 'count' || (func === 'octet_length' && type === 'compact_json')

function typeOfExpression(node: OperationNode, scope: Scope): ColumnType | null {
  const {
    func,
    arguments: args,
    aggregated,
  } = node as FunctionNode & { aggregated?: readonly OperationNode[] }
  for (const argument of args ?? aggregated ?? []) {
    const type = scope.typeOf(argument)
    if (type !== null && isTextEncodedType(type) && !ignoresEncoding(func, type))
      throw new TypeError(`${func} would read the bytes of an encoded column`)
  }
  return scope.typeOf(node)
}
