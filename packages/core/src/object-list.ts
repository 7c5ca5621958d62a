import { type Codec, fail, WireError } from './wire-codec.ts'

/** Reads a field of an object. Without `absent`, the value of an absent field, it is required. */
export type ReadField = <T>(name: string, codec: Pick<Codec<T>, 'read' | 'readList'>, absent?: T) => T

/** Ends the reading of an object with what is wrong with it. */
type FailObject = (message: string) => never

interface ObjectListOptions<T> {
  /** What an object of the list is: `step`. */
  readonly item: string
  /** The names of the fields that an object can have. */
  readonly fields: readonly string[]
  readonly readObject: (readField: ReadField, failObject: FailObject) => T
}

/**
 * Reads the JSON array of objects that a field contains as a string. Their fields are strings, as those of a request; numbers are read as
 * strings, and `null` is absent.
 * @throws WireError that says which object is invalid: `step 2: count is required`
 */
export const readObjectList = <T>(text: string, options: ObjectListOptions<T>): T[] =>
  parseArray(text, options.item).map((value, index) => readOne(value, index + 1, options))

function parseArray(text: string, item: string): unknown[] {
  try {
    const value: unknown = JSON.parse(text)
    if (Array.isArray(value)) return value
  } catch {
    // Said below.
  }
  return fail(`must be a JSON array of ${item}s, as a string`)
}

function readOne<T>(value: unknown, position: number, { item, fields, readObject }: ObjectListOptions<T>): T {
  const failObject: FailObject = (message) => fail(`${item} ${position}: ${message}`)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return failObject('must be an object')
  const values = value as Readonly<Record<string, unknown>>
  const unknown = Object.keys(values).find((name) => !fields.includes(name))
  if (unknown !== undefined) failObject(`${unknown.slice(0, 64)} is not a field of a ${item}`)
  const readField: ReadField = (name, codec, absent) => {
    const raw = values[name]
    if (raw === undefined || raw === null)
      return absent === undefined ? failObject(`${name} is required`) : absent
    try {
      return readValue(raw, codec)
    } catch (error) {
      if (error instanceof WireError) return failObject(`${name} ${error.message}`)
      throw error
    }
  }
  return readObject(readField, failObject)
}

/** @throws WireError */
function readValue<T>(raw: unknown, { read, readList }: Pick<Codec<T>, 'read' | 'readList'>): T {
  if (typeof raw === 'string' || typeof raw === 'number') return read(String(raw))
  if (readList && isTextList(raw)) return readList(raw)
  return fail(readList ? 'must be a string or an array of strings' : 'must be a string')
}

const isTextList = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string')
