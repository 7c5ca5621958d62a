import { wire } from '@reeve/core'
import { Kind, type TOptional, type TUnsafe, Type, TypeRegistry } from '@sinclair/typebox'

/**
 * The bridge between the wire codecs and TypeBox: a field is a string in the documentation and on the wire, and what its
 * codec reads in a handler.
 */
const KIND = 'ReeveWire'
export const CODEC = Symbol.for('reeve.codec')

/** A field of a request as its reader sees it. */
export interface WireSchema {
  readonly [CODEC]: Pick<wire.Codec<unknown>, 'read'>
  readonly nullable?: boolean
}

// What a request holds is read by `fieldReader`, once; the framework only has to know the kind.
TypeRegistry.Set(KIND, (_, value) => typeof value === 'string' || value === null)

/**
 * A field by its type in a handler: a string on the wire and in the documentation, its static type what the codec reads,
 * because that is what handlers see.
 */
export type InputField<T> = TOptional<TUnsafe<T>>

const toSchema = <T>(codec: wire.Codec<T>, description: string | undefined, extra: object) => ({
  [Kind]: KIND,
  [CODEC]: codec,
  type: 'string',
  description: description ? `${description}. ${codec.description}` : codec.description,
  example: codec.example,
  ...extra,
})

/** A field that may be absent. In a handler: what the codec reads. */
export const inputField = <T>(codec: wire.Codec<T>, description?: string): InputField<T> =>
  Type.Optional(Type.Unsafe<T>(toSchema(codec, description, {})))

/** A field that may be absent, or `null` to clear what is stored. In a handler: what the codec reads, or null. */
export const nullableInput = <T>(codec: wire.Codec<T>, description?: string): InputField<T | null> =>
  Type.Optional(Type.Unsafe<T | null>(toSchema(codec, description, { nullable: true })))

/** The body or query of a request: these fields and no others. The framework leaves it to `fieldReader`. */
export const requestObject = <const T extends Parameters<typeof Type.Object>[0]>(
  fields: T,
  description?: string,
) =>
  Type.Object(fields, {
    additionalProperties: false,
    noValidate: true,
    ...(description ? { description } : {}),
  })

/** A string in an answer. */
export const stringField = (description: string, example?: string) =>
  Type.String({ description, ...(example === undefined ? {} : { example }) })

/** A string in an answer, or `null` where it is not set. A union, because its check is compiled in place. */
export const nullableString = (description: string, example?: string) =>
  Type.Union([Type.String(), Type.Null()], {
    nullable: true,
    description,
    ...(example === undefined ? {} : { example }),
  })

/** The value of a `nullableString` that holds a time: RFC 3339, or null. @param timestamp epoch milliseconds */
export const formatNullableTime = (timestamp: number | null): string | null =>
  timestamp === null ? null : wire.time.write(timestamp)

/** One object of an answer: every field present, none besides. */
export const responseObject = <const T extends Parameters<typeof Type.Object>[0]>(
  fields: T,
  description: string,
) => Type.Object(fields, { additionalProperties: false, description })

/** The query fields of every list. */
export const pageFields = { limit: inputField(wire.limit), cursor: inputField(wire.cursor) }

/** The query or body of a route that takes no fields. */
export const NoFields = requestObject({})

/** The query of a write whose fields are in the body. */
export const workspaceQuery = requestObject({
  workspaceId: inputField(wire.id, 'The workspace; here or in the body'),
})
