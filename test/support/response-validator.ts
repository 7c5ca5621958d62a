import type { OpenapiDocument } from '@reeve/api/openapi/document'
import Ajv from 'ajv'

const ajv = new Ajv({ strict: false, allErrors: true })

/** Lists the differences between a body and its schema in the document, including additional fields. */
export function createValidator(
  { components }: OpenapiDocument,
  declared: unknown,
): (body: unknown) => string[] {
  const { content } = declared as { content: Record<string, { schema: object }> }
  const validate = ajv.compile(closed({ ...content['application/json']?.schema, components }))
  return (body) =>
    validate(body) ? [] : (validate.errors ?? []).map((one) => `${one.instancePath} ${one.message}`)
}

/** The document allows additional fields in responses; the tests do not. */
const closed = (schema: object): object =>
  JSON.parse(JSON.stringify(schema), (_, value) =>
    value?.type === 'object' && value.properties ? { ...value, additionalProperties: false } : value,
  )
