import { type FieldProblem, suggest, wire } from '@reeve/core'
import type { RawFields } from './body.ts'
import { CODEC, type WireSchema } from './field.ts'

/** Maximum number of problems in one response. */
const MAX_PROBLEMS = 100

/** The parsed fields of a request, and a problem for each field that is invalid. */
export interface ParsedFields {
  readonly values: Record<string, unknown>
  readonly problems: readonly FieldProblem[]
}

/** Parses all fields of a request and reports every problem, not only the first one. */
export type FieldReader = (raw: RawFields) => ParsedFields

/** @param schema created by `requestObject` */
export function fieldReader(schema: { readonly properties: Readonly<Record<string, object>> }): FieldReader {
  const fields = new Map(Object.entries(schema.properties) as [string, WireSchema][])
  const fieldNames = [...fields.keys()]
  return (raw) => {
    const values: Record<string, unknown> = {}
    const problems: FieldProblem[] = []
    for (const name in raw) {
      const field = fields.get(name)
      const problem = field
        ? readField(values, name, field, raw[name])
        : unknownFieldMessage(name, fieldNames)
      if (problem === null) continue
      problems.push({ field: name.slice(0, 128), message: problem })
      if (problems.length >= MAX_PROBLEMS) break
    }
    return { values, problems }
  }
}

/** Parses one field into `values`. @returns a message that follows the name of the field; null if it is valid */
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
