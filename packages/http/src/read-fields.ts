import { type FieldProblem, suggest, wire } from '@reeve/core'
import type { RawFields } from './body.ts'
import { CODEC, type WireSchema } from './field.ts'

/** The maximum number of problems in one response. */
const MAX_PROBLEMS = 100

/** The fields of a query or body by name. An invalid or unknown field is present with the value `undefined`. */
export type FieldValues = Readonly<Record<string, unknown>>

/** A request after its fields are read. */
export interface ParsedRequest {
  readonly query: FieldValues
  readonly body: FieldValues
  /** What is wrong with the fields, those of the query first. */
  readonly problems: readonly FieldProblem[]
}

/** Reads the fields of one request. It never throws, so that the caller decides when to report the problems. */
export type RequestReader = (query: FieldValues, body: RawFields) => ParsedRequest

interface ObjectSchema {
  readonly properties: Readonly<Record<string, object>>
}

/**
 * Creates the reader of a route's query and body.
 * @param schemas made by `requestObject`; without a query schema the query is passed through, without a body schema
 *   every body field is a problem
 */
export function requestReader(schemas: { readonly query?: unknown; readonly body?: unknown }): RequestReader {
  const readQuery = isObjectSchema(schemas.query) ? fieldReader(schemas.query) : null
  const readBody = fieldReader(isObjectSchema(schemas.body) ? schemas.body : { properties: {} })
  return (query, body) => {
    const problems: FieldProblem[] = []
    const queryValues = readQuery ? readQuery(query, problems) : query
    return { query: queryValues, body: readBody(body, problems), problems }
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
      // Known fields are read past the limit too: the permission may depend on them.
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
  if (typeof raw === 'number') return 'must be a string, or a whole number that JSON carries exactly'
  if (typeof raw !== 'string') return 'must be a string'
  try {
    values[name] = field[CODEC].read(raw)
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
