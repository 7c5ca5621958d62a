import {
  type AliasNode,
  type BinaryOperationNode,
  type ColumnUpdateNode,
  type DeleteQueryNode,
  type InsertQueryNode,
  type KyselyPlugin,
  type OperationNode,
  OperationNodeTransformer,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  type PrimitiveValueListNode,
  type QueryId,
  RawNode,
  type SelectQueryNode,
  type UpdateQueryNode,
  type ValueListNode,
  type ValueNode,
} from 'kysely'
import {
  type ColumnEncoding,
  type EncodedType,
  isEncodedType,
  isTextEncodedType,
  type TextEncodedType,
  type ValueUsage,
} from './column-encoding.ts'
import { listArms, resultsOf, Scope, unwrapRaw } from './column-scope.ts'
import type { ColumnType } from './tables/column.ts'

/** A value of a compiled query that is stored in an encoded column, or compared with one. */
export class EncodedValue {
  readonly type: EncodedType
  readonly usage: ValueUsage
  /** A placeholder or a constant. */
  readonly value: unknown
  constructor(type: EncodedType, usage: ValueUsage, value: unknown) {
    this.type = type
    this.usage = usage
    this.value = value
  }
}

type Types = readonly (ColumnType | null)[]

/** Where the values of a list are stored or compared. */
interface Expected {
  readonly types: Types
  readonly usage: ValueUsage
}

/**
 * Finds the column of each value and of each result of a query when it is compiled, from the nodes of the query. Values for encoded
 * columns become an `EncodedValue`.
 */
export class ColumnResolver extends OperationNodeTransformer implements KyselyPlugin {
  /** The types of the encoded columns of the result. */
  readonly results = new Map<string, TextEncodedType>()
  readonly #encoding: ColumnEncoding
  readonly #expected = new Map<OperationNode, Expected>()
  #scope: Scope | null = null

  constructor(encoding: ColumnEncoding) {
    super()
    this.#encoding = encoding
  }

  transformQuery({ node, queryId }: PluginTransformQueryArgs): PluginTransformQueryArgs['node'] {
    if (node.kind !== 'RawNode') {
      for (const { name, type } of resultsOf(node, null))
        if (type !== null && isTextEncodedType(type)) this.results.set(name, type)
    }
    return this.transformNode(node, queryId)
  }

  async transformResult({ result }: PluginTransformResultArgs) {
    return result
  }

  /** Notes the types of the columns that values are stored in or compared with. */
  #expect(node: OperationNode, types: Types, usage: ValueUsage): void {
    if (node.kind === 'TupleNode' || node.kind === 'ValueListNode') {
      for (const [index, item] of (node as ValueListNode).values.entries())
        this.#expect(item, node.kind === 'TupleNode' ? [types[index] ?? null] : types, usage)
    } else this.#expected.set(node, { types, usage })
  }

  #typesOf(node: OperationNode): Types {
    const items = node.kind === 'TupleNode' ? (node as ValueListNode).values : [node]
    return items.map((item) => this.#scope?.typeOf(item) ?? null)
  }

  #within<Result>(query: OperationNode, transform: () => Result): Result {
    const outer = this.#scope
    this.#scope = new Scope(query, outer)
    try {
      return transform()
    } finally {
      this.#scope = outer
    }
  }

  protected override transformSelectQuery(node: SelectQueryNode, queryId?: QueryId): SelectQueryNode {
    const results = resultsOf(node, this.#scope).map(({ type }) => type)
    for (const arm of listArms(node)) this.#expectSelections(arm, results)
    return this.#within(node, () => super.transformSelectQuery(node, queryId))
  }

  /** The values that a query selects become those columns, of a union or of the table that they are inserted into. */
  #expectSelections(query: OperationNode, types: Types): void {
    ;(query as SelectQueryNode).selections?.forEach(({ selection }, index) => {
      if (selection.kind === 'AliasNode' && (types[index] ?? null) !== null)
        this.#expect((selection as AliasNode).node, [types[index] ?? null], 'store')
    })
  }

  protected override transformInsertQuery(node: InsertQueryNode, queryId?: QueryId): InsertQueryNode {
    return this.#within(node, () => {
      const types = (node.columns ?? []).flatMap((column) => this.#typesOf(column))
      const { values } = node
      if (values?.kind === 'ValuesNode') {
        for (const row of (values as ValueListNode).values) {
          if (row.kind === 'PrimitiveValueListNode') this.#expect(row, types, 'store')
          else this.#expect({ ...row, kind: 'TupleNode' } as OperationNode, types, 'store')
        }
      }
      if (values?.kind === 'SelectQueryNode') this.#expectSelections(values, types)
      return super.transformInsertQuery(node, queryId)
    })
  }

  protected override transformUpdateQuery(node: UpdateQueryNode, queryId?: QueryId): UpdateQueryNode {
    return this.#within(node, () => super.transformUpdateQuery(node, queryId))
  }

  protected override transformDeleteQuery(node: DeleteQueryNode, queryId?: QueryId): DeleteQueryNode {
    return this.#within(node, () => super.transformDeleteQuery(node, queryId))
  }

  protected override transformColumnUpdate(node: ColumnUpdateNode, queryId?: QueryId): ColumnUpdateNode {
    this.#expect(node.value, this.#typesOf(node.column), 'store')
    return super.transformColumnUpdate(node, queryId)
  }

  protected override transformBinaryOperation(
    node: BinaryOperationNode,
    queryId?: QueryId,
  ): BinaryOperationNode {
    const left = this.#typesOf(node.leftOperand)
    const right = this.#typesOf(node.rightOperand)
    this.#expect(node.rightOperand, left, 'compare')
    this.#expect(node.leftOperand, right, 'compare')
    const transformed = super.transformBinaryOperation(node, queryId)
    const { toIdSql } = this.#encoding
    if (toIdSql === null) return transformed
    const toId = (operand: OperationNode) => RawNode.create(toIdSql, [operand, operand])
    if (left[0] === 'id' && right[0] === 'id_or_text')
      return { ...transformed, rightOperand: toId(transformed.rightOperand) }
    if (left[0] === 'id_or_text' && right[0] === 'id')
      return { ...transformed, leftOperand: toId(transformed.leftOperand) }
    return transformed
  }

  /** In the SQL of a dialect, a value is compared with the column before it, or behind it where no value follows. */
  protected override transformRaw(node: RawNode, queryId?: QueryId): RawNode {
    const parameters = node.parameters.map(unwrapRaw)
    const place = parameters.findIndex((parameter) => parameter?.kind === 'ReferenceNode')
    const [column, value] = [parameters[place], parameters[place + 1] ?? parameters[place - 1]]
    const [type = null] =
      column?.kind === 'ReferenceNode' && value?.kind === 'ValueNode' ? this.#typesOf(column) : []
    if (type === null || !isTextEncodedType(type) || !value) return super.transformRaw(node, queryId)
    this.#expect(value, [type], 'compare')
    const transformed = super.transformRaw(node, queryId)
    // Words are stored as text.
    if (type === 'word') return transformed
    return { ...transformed, sqlFragments: transformed.sqlFragments.map(this.#encoding.toListSql) }
  }

  protected override transformValue(node: ValueNode, queryId?: QueryId): ValueNode {
    // A literal in the SQL is a number.
    if (node.immediate) return super.transformValue(node, queryId)
    return { ...super.transformValue(node, queryId), value: this.#toValue(node, node.value, 0) }
  }

  protected override transformPrimitiveValueList(
    node: PrimitiveValueListNode,
    queryId?: QueryId,
  ): PrimitiveValueListNode {
    const values = node.values.map((value, index) => this.#toValue(node, value, index))
    return { ...super.transformPrimitiveValueList(node, queryId), values }
  }

  #toValue(node: OperationNode, value: unknown, index: number): unknown {
    const expected = this.#expected.get(node)
    // All values of a list are compared with one column.
    const type = expected && (expected.usage === 'store' ? expected.types[index] : expected.types[0])
    return expected && type && isEncodedType(type) ? new EncodedValue(type, expected.usage, value) : value
  }
}
