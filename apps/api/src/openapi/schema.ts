import type { Operation } from './operation.ts'

/** A JSON schema as OpenAPI 3.0 knows it, or a reference to one. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly [keyword: string]: unknown
}

/** A schema as data: without the symbols that TypeBox keeps in it, and without what is said to the framework. */
export const plain = (schema: object): Schema =>
  JSON.parse(JSON.stringify(schema, (key, value) => (key === 'noValidate' ? undefined : value))) as Schema

export const refTo = (kind: 'schemas' | 'headers' | 'parameters', name: string) => ({
  $ref: `#/components/${kind}/${name}`,
})

/**
 * An answer may gain fields later, so the schemas of answers leave room for them. Something or `null` is said in the one way
 * that OpenAPI 3.0 knows.
 */
export function openForMore(schema: Schema): Schema {
  const { additionalProperties: _, ...rest } = schema
  if (rest.nullable === true && rest.anyOf) {
    const { anyOf, ...described } = rest
    const something = anyOf.find(({ type }) => type !== 'null') ?? {}
    return { ...openForMore(something), ...described }
  }
  return mapChildren(rest, (child) => openForMore(child))
}

function mapChildren(schema: Schema, change: (child: Schema, property: string) => Schema): Schema {
  const mapped: Record<string, unknown> = { ...schema }
  if (schema.properties) {
    mapped.properties = Object.fromEntries(
      Object.entries(schema.properties).map(([name, child]) => [name, change(child, name)]),
    )
  }
  if (schema.items) mapped.items = change(schema.items, '')
  if (schema.anyOf) mapped.anyOf = schema.anyOf.map((child) => change(child, ''))
  return mapped as Schema
}

/** Calls `visit` for every object that is the value of a property, or an item of one that is a list. */
function eachRecord(
  schema: Schema,
  visit: (record: Schema, property: string, isItem: boolean) => void,
): void {
  for (const [property, child] of Object.entries(schema.properties ?? {})) {
    const isItem = child.type === 'array'
    const record = isItem ? child.items : child
    if (!record) continue
    if (record.type === 'object') visit(record, property, isItem)
    eachRecord(record, visit)
  }
  for (const choice of schema.anyOf ?? []) eachRecord(choice, visit)
}

const className = (property: string, isItem: boolean): string => {
  const singular = isItem ? property.replace(/ies$/, 'y').replace(/s$/, '') : property
  return singular.slice(0, 1).toUpperCase() + singular.slice(1)
}

/**
 * Gives the records of answers names of their own (`department` and the items of `departments` are one `Department`), and
 * puts references in their places.
 * @param paths changed in place
 * @returns the named schemas
 */
export function nameSharedSchemas(
  paths: Readonly<Record<string, Record<string, Pick<Operation, 'responses'>>>>,
): Record<string, Schema> {
  const contents = Object.values(paths)
    .flatMap((path) => Object.values(path))
    .flatMap(({ responses }) => Object.values(responses))
    .flatMap(({ content }) => Object.values(content ?? {}))
  const names = new Map<string, { name: string; fromItem: boolean; schema: Schema }>()
  for (const { schema } of contents) {
    eachRecord(schema, (record, property, isItem) => {
      const key = JSON.stringify(record)
      const known = names.get(key)
      // `record` says better what it is than the items of `bans` do.
      if (known && (isItem || !known.fromItem)) return
      names.set(key, { name: className(property, isItem), fromItem: isItem, schema: record })
    })
  }
  const taken = new Map<string, string>()
  for (const [key, { name }] of names) {
    let free = name
    for (let number = 2; taken.has(free); number += 1) free = `${name}${number}`
    taken.set(free, key)
  }
  const nameOf = new Map([...taken].map(([name, key]) => [key, name]))
  const withReferences = (schema: Schema): Schema =>
    mapChildren(schema, (child) => {
      const name = nameOf.get(JSON.stringify(child))
      return name === undefined ? withReferences(child) : refTo('schemas', name)
    })
  for (const content of contents) content.schema = withReferences(content.schema)
  return Object.fromEntries(
    [...taken]
      .map(([name, key]) => [name, withReferences(names.get(key)?.schema ?? {})] as const)
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  )
}
