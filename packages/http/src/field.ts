import { wire } from '@reeve/core'
import { Kind, type TOptional, type TUnsafe, Type, TypeRegistry } from '@sinclair/typebox'

/**
 * Connects the wire codecs with TypeBox: a field is a string in the documentation and in the request, and the parsed
 * value of its codec in a handler.
 */
const KIND = 'ReeveWire'
export const CODEC = Symbol.for('reeve.codec')

/** A field of a request, as `fieldReader` uses it. */
export interface WireSchema {
  readonly [CODEC]: Pick<wire.Codec<unknown>, 'read' | 'readList' | 'resolve'>
  readonly nullable?: boolean
}

// `fieldReader` parses the fields once; the framework only needs to know the kind.
TypeRegistry.Set(KIND, (_, value) => typeof value === 'string' || value === null)

/** An optional field whose static type is the parsed value, because that is what handlers receive. */
export type InputField<T> = TOptional<TUnsafe<T>>

const toSchema = <T>(codec: wire.Codec<T>, description: string | undefined, extra: object) => ({
  [Kind]: KIND,
  [CODEC]: codec,
  type: 'string',
  description: description ? `${description}. ${codec.description}` : codec.description,
  example: codec.example,
  ...extra,
})

/** An optional field. Handlers receive the parsed value. */
export const inputField = <T>(codec: wire.Codec<T>, description?: string): InputField<T> =>
  Type.Optional(Type.Unsafe<T>(toSchema(codec, description, {})))

/** An optional field that can be `null` to clear the stored value. Handlers receive the parsed value or null. */
export const nullableInput = <T>(codec: wire.Codec<T>, description?: string): InputField<T | null> =>
  Type.Optional(Type.Unsafe<T | null>(toSchema(codec, description, { nullable: true })))

/** The body or query of a request: these fields and no others. `fieldReader` validates it, not the framework. */
export const requestObject = <const T extends Parameters<typeof Type.Object>[0]>(
  fields: T,
  description?: string,
) =>
  Type.Object(fields, {
    additionalProperties: false,
    noValidate: true,
    ...(description ? { description } : {}),
  })

/** A string in a response. */
export const stringField = (description: string, example?: string) =>
  Type.String({ description, ...(example === undefined ? {} : { example }) })

/** A string in a response, or `null` if it is not set. A union, because its validation is compiled inline. */
export const nullableString = (description: string, example?: string) =>
  Type.Union([Type.String(), Type.Null()], {
    nullable: true,
    description,
    ...(example === undefined ? {} : { example }),
  })

/** What every list ends with; `null` on its last page. */
export const nextCursor = nullableString('Pass as `cursor` to get the next page')

/**
 * An object in a response: all of these fields and no others.
 * @param title its name in the OpenAPI document, if not that of the field that contains it
 */
export const responseObject = <const T extends Parameters<typeof Type.Object>[0]>(
  fields: T,
  description: string,
  title?: string,
) => Type.Object(fields, { additionalProperties: false, description, ...(title ? { title } : {}) })

/** The query fields of every list. */
export const pageFields = { limit: inputField(wire.limit), cursor: inputField(wire.cursor) }

/** The query or body of a route that takes no fields. */
export const NoFields = requestObject({})

/** The query of a write whose fields are in the body. */
export const workspaceQuery = requestObject({
  workspaceId: inputField(wire.id, 'The workspace; here or in the body'),
})
