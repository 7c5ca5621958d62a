import { type FieldProblem, type Platforms, suggest, wire } from '@reeve/core'
import type { RawFields } from './body.ts'
import { CODEC, type WireSchema } from './field.ts'

/** The maximum number of problems in one response. */
const MAX_PROBLEMS = 100

/** The fields of a query or body by name. An invalid or unknown field is present with the value `undefined`. */
export type FieldValues = Readonly<Record<string, unknown>>

/** The parsed fields of a request. */
export interface ParsedRequest {
  readonly query: FieldValues
  readonly body: FieldValues
  /** The problems of all fields, those of the query first. */
  readonly problems: readonly FieldProblem[]
}

/** Parses the fields of one request. It never throws, so that the caller decides when to report the problems. */
export interface RequestReader {
  (query: FieldValues, body: RawFields): ParsedRequest
  /** Gives the players that a request names the form that they have in a workspace with these platforms. */
  readonly resolvePlayers: (fields: Pick<ParsedRequest, 'query' | 'body'>, platforms: Platforms) => void
}

interface ObjectSchema {
  readonly properties: Readonly<Record<string, object>>
}

/**
 * Creates the reader of a route's query and body.
 * @param schemas created by `requestObject`; without a query schema the query is passed through, without a body schema
 *   every body field is a problem
 */
export function requestReader(schemas: { readonly query?: unknown; readonly body?: unknown }): RequestReader {
  const readQuery = isObjectSchema(schemas.query) ? fieldReader(schemas.query) : null
  const readBody = fieldReader(isObjectSchema(schemas.body) ? schemas.body : { properties: {} })
  const read = (query: FieldValues, body: RawFields): ParsedRequest => {
    const problems: FieldProblem[] = []
    const queryValues = readQuery ? readQuery(query, problems) : query
    return { query: queryValues, body: readBody(body, problems), problems }
  }
  const [resolveQuery, resolveBody] = [playerResolver(schemas.query), playerResolver(schemas.body)]
  const resolvePlayers: RequestReader['resolvePlayers'] = ({ query, body }, platforms) => {
    resolveQuery(query, platforms)
    resolveBody(body, platforms)
  }
  return Object.assign(read, { resolvePlayers })
}

/** Replaces the ids of players in the parsed fields of a schema. */
function playerResolver(schema: unknown) {
  const fields = (isObjectSchema(schema) ? Object.entries(schema.properties) : []).flatMap(
    ([name, field]) => {
      const { resolve } = (field as Partial<WireSchema>)[CODEC] ?? {}
      return resolve ? [{ name, resolve }] : []
    },
  )
  return (values: FieldValues, platforms: Platforms): void => {
    for (const { name, resolve } of fields) {
      const value = values[name]
      if (value !== undefined && value !== null)
        (values as Record<string, unknown>)[name] = resolve(value, platforms)
    }
  }
}

const isObjectSchema = (schema: unknown): schema is ObjectSchema =>
  typeof schema === 'object' && schema !== null && 'properties' in schema

function fieldReader({ properties }: ObjectSchema) {
  const fields = new Map(Object.entries(properties) as [string, WireSchema][])
  const fieldNames = [...fields.keys()]
  return (raw: FieldValues, problems: FieldProblem[]): FieldValues => {
    const values: Record<string, unknown> = {}
    const maxProblems = problems.length + MAX_PROBLEMS
    for (const name in raw) {
      const schema = fields.get(name)
      // Known fields are parsed beyond the limit too, because the required permission can depend on them.
      if (!schema && problems.length >= maxProblems) continue
      const problem = schema
        ? readField(values, name, schema, raw[name])
        : unknownFieldMessage(name, fieldNames)
      if (problem === null) continue
      values[name] = undefined
      if (problems.length < maxProblems) problems.push({ field: name.slice(0, 128), message: problem })
    }
    return values
  }
}

/** Reads one field into `values`. @returns the problem, worded to follow the field's name, or null */
function readField(
  values: Record<string, unknown>,
  name: string,
  field: WireSchema,
  raw: unknown,
): string | null {
  if (raw === null && field.nullable) {
    values[name] = null
    return null
  }
  if (raw === null) return 'must not be null'
  if (typeof raw === 'number') return 'must be a string, or a whole number between -(2^53 - 1) and 2^53 - 1'
  const { read, readList } = field[CODEC]
  if (typeof raw !== 'string' && !(readList && Array.isArray(raw))) {
    return readList ? 'must be a string or an array of strings' : 'must be a string'
  }
  try {
    values[name] = typeof raw === 'string' ? read(raw) : readList?.(raw as string[])
    return null
  } catch (error) {
    if (error instanceof wire.WireError) return error.message
    throw error
  }
}

function unknownFieldMessage(name: string, fieldNames: readonly string[]): string {
  const suggestion = suggest(name, fieldNames)
  return suggestion
    ? `is not a field of this request; did you mean ${suggestion}?`
    : 'is not a field of this request'
}
