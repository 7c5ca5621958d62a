import { type FieldProblem, suggest, wire } from '@reeve/core'
import type { RawFields } from './body.ts'
import { CODEC, type WireSchema } from './field.ts'

/** How many problems one answer lists at the most. */
const MAX_PROBLEMS = 100

/** The fields of a request as its handler takes them, and what is wrong with those that cannot be read. */
export interface ParsedFields {
  readonly values: Record<string, unknown>
  readonly problems: readonly FieldProblem[]
}

/** Reads the fields of one request, all of them, so that every problem is told and not only the first. */
export type FieldReader = (raw: RawFields) => ParsedFields

/** @param schema made by `request` */
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

/** Reads one field. @returns why it cannot be read, in words that follow its name; null where it was */
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
