import { ErrorResponse } from '@reeve/http'

/** An OpenAPI 3.0 schema, or a reference to one. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly title?: string
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly [keyword: string]: unknown
}

/** Converts a TypeBox schema to plain JSON, without symbols and without options for the framework. */
export const toPlainSchema = (schema: object): Schema =>
  JSON.parse(JSON.stringify(schema, (key, value) => (key === 'noValidate' ? undefined : value))) as Schema

export const toRef = (kind: 'schemas' | 'headers' | 'parameters', name: string) => ({
  $ref: `#/components/${kind}/${name}`,
})

/**
 * Allows additional properties, because responses can gain fields later. Converts unions with `null` to `nullable`, the only
 * form in OpenAPI 3.0.
 */
export function allowAdditionalFields(schema: Schema): Schema {
  const { additionalProperties: _, ...rest } = schema
  if (rest.nullable === true && rest.anyOf) {
    const { anyOf, ...described } = rest
    const nonNull = anyOf.find(({ type }) => type !== 'null') ?? {}
    return { ...allowAdditionalFields(nonNull), ...described }
  }
  return mapChildren(rest, (child) => allowAdditionalFields(child))
}

/** The body of every error, as both documents describe it. */
export const errorSchema: Schema = allowAdditionalFields(toPlainSchema(ErrorResponse))

function mapChildren(schema: Schema, transform: (child: Schema, property: string) => Schema): Schema {
  const mapped: Record<string, unknown> = { ...schema }
  if (schema.properties) {
    mapped.properties = Object.fromEntries(
      Object.entries(schema.properties).map(([name, child]) => [name, transform(child, name)]),
    )
  }
  if (schema.items) mapped.items = transform(schema.items, '')
  if (schema.anyOf) mapped.anyOf = schema.anyOf.map((child) => transform(child, ''))
  return mapped as Schema
}

/** Calls `visit` for every object that is a property's value or an item of a list property. */
function visitObjects(
  schema: Schema,
  visit: (object: Schema, property: string, isItem: boolean) => void,
): void {
  for (const [property, child] of Object.entries(schema.properties ?? {})) {
    const isItem = child.type === 'array'
    const object = isItem ? child.items : child
    if (!object) continue
    if (object.type === 'object') visit(object, property, isItem)
    visitObjects(object, visit)
  }
  for (const choice of schema.anyOf ?? []) visitObjects(choice, visit)
}

const toSchemaName = (property: string, isItem: boolean): string => {
  const singular = isItem ? property.replace(/ies$/, 'y').replace(/s$/, '') : property
  return singular.slice(0, 1).toUpperCase() + singular.slice(1)
}

interface OperationWithResponses {
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { schema: Schema }>> }>
  >
}

/**
 * Moves the objects in responses to named schemas (`department` and the items of `departments` share `Department`) and
 * replaces them with references.
 * @param paths changed in place
 * @returns the named schemas
 */
export function nameSharedSchemas(
  paths: Readonly<Record<string, Record<string, OperationWithResponses>>>,
): Record<string, Schema> {
  const contents = Object.values(paths)
    .flatMap((path) => Object.values(path))
    .flatMap(({ responses }) => Object.values(responses))
    .flatMap(({ content }) => Object.values(content ?? {}))
  const names = new Map<string, { name: string; fromItem: boolean; schema: Schema }>()
  for (const { schema } of contents) {
    visitObjects(schema, (object, property, isItem) => {
      const key = JSON.stringify(object)
      const existing = names.get(key)
      // A name from a property (`record`) is better than one from list items (`bans`).
      if (existing && (isItem || !existing.fromItem)) return
      const name = object.title ?? toSchemaName(property, isItem)
      names.set(key, { name, fromItem: isItem, schema: object })
    })
  }
  const keyByName = new Map<string, string>()
  for (const [key, { name }] of names) {
    let uniqueName = name
    for (let suffix = 2; keyByName.has(uniqueName); suffix += 1) uniqueName = `${name}${suffix}`
    keyByName.set(uniqueName, key)
  }
  const nameByKey = new Map([...keyByName].map(([name, key]) => [key, name]))
  const withReferences = (schema: Schema): Schema =>
    mapChildren(schema, (child) => {
      const name = nameByKey.get(JSON.stringify(child))
      return name === undefined ? withReferences(child) : toRef('schemas', name)
    })
  for (const content of contents) content.schema = withReferences(content.schema)
  return Object.fromEntries(
    [...keyByName]
      .map(([name, key]) => [name, withReferences(names.get(key)?.schema ?? {})] as const)
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  )
}
