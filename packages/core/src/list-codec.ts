import { type Codec, WireError } from './wire-codec.ts'

interface ListOptions {
  readonly max: number
  /** What the list contains: `actions`. */
  readonly items: string
  readonly example: string
}

/** Comma-separated values of a codec, in their order and without duplicates. */
export const listCodec = <T>(item: Codec<T>, { max, items, example }: ListOptions): Codec<readonly T[]> => ({
  read(text) {
    const values = [...new Set(text.split(',').map((part) => item.read(part.trim())))]
    if (values.length > max) throw new WireError(`must list at most ${max} ${items}`)
    return values
  },
  write: (values) => values.map(item.write).join(','),
  description: `${item.description}; up to ${max} ${items}, separated by commas`,
  example,
})

const caseNumber: Codec<number> = {
  read(text) {
    if (!/^[1-9]\d{0,14}$/.test(text)) throw new WireError('must be a case number: a whole number from 1')
    return Number(text)
  },
  write: String,
  description: 'A case number of the workspace',
  example: '17',
}

/** Up to 200 case numbers, separated by commas. */
export const caseNumbers = listCodec(caseNumber, { max: 200, items: 'case numbers', example: '17,288' })
