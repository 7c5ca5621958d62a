/**
 * A set of sanctions in the smallest form: the ids of players as the differences between sorted numbers, each a variable-length
 * integer (LEB128: 7 bits per byte, the lowest first, and the highest bit set in every byte but the last).
 */

/** Ids that are exact as numbers: digits without leading zeros, below 2^53. */
const NUMERIC_ID = /^(?:0|[1-9]\d{0,15})$/

/** Expiries are seconds since 2020-01-01T00:00:00Z, so that four bytes last until 2028. */
const EXPIRY_EPOCH_SECONDS = 1_577_836_800

const INITIAL_BYTES = 1024

/** Variable-length integers in a growing buffer. */
class VarintWriter {
  #bytes = new Uint8Array(INITIAL_BYTES)
  #length = 0

  get written(): Uint8Array {
    return this.#bytes.subarray(0, this.#length)
  }

  /** @param value a whole number below 2^53; larger than 32 bits, so that it is divided instead of shifted */
  write(value: number): void {
    if (this.#length + 8 > this.#bytes.length) {
      const grown = new Uint8Array(this.#bytes.length * 2)
      grown.set(this.#bytes)
      this.#bytes = grown
    }
    let rest = value
    while (rest >= 128) {
      this.#bytes[this.#length++] = (rest % 128) | 128
      rest = Math.floor(rest / 128)
    }
    this.#bytes[this.#length++] = rest
  }
}

/** The ids with the same number of digits, which text order and numeric order sort the same. */
interface Group {
  readonly first: number
  last: number
  count: number
  /** The differences after the first id. */
  readonly differences: VarintWriter
  /** The first id with an expiry, by its index in the group. */
  firstExpiring: { readonly index: number; readonly seconds: number } | null
  lastExpiring: number
  /** The others with an expiry: the difference of the index, and the expiry. */
  readonly expiries: VarintWriter
}

/** The encoded set. */
export interface EncodedIds {
  readonly count: number
  /** In base64. */
  readonly ids: string
  readonly expiries: string
}

const countSeconds = (expiresAt: number): number =>
  Math.max(0, Math.ceil(expiresAt / 1000) - EXPIRY_EPOCH_SECONDS)

/** Collects ids in text order, the order of their index, and encodes them in numeric order. Memory is that of the result. */
export class IdSetBuilder {
  /** By number of digits. */
  readonly #groups: (Group | undefined)[] = []

  /** @param expiresAt epoch milliseconds; null is permanent @returns false for an id that is not a number */
  add(userId: string, expiresAt: number | null): boolean {
    const id = NUMERIC_ID.test(userId) ? Number(userId) : Number.POSITIVE_INFINITY
    if (id > Number.MAX_SAFE_INTEGER) return false
    const group = this.#groups[userId.length]
    if (group) group.differences.write(id - group.last)
    const current = group ?? this.#open(userId.length, id)
    current.last = id
    if (expiresAt !== null) addExpiry(current, countSeconds(expiresAt))
    current.count += 1
    return true
  }

  encode(): EncodedIds {
    const [idParts, expiryParts]: [Uint8Array[], Uint8Array[]] = [[], []]
    let [last, count, lastExpiring] = [0, 0, 0]
    for (const group of this.#groups) {
      if (!group) continue
      idParts.push(toVarints(group.first - last), group.differences.written)
      if (group.firstExpiring) {
        const { index, seconds } = group.firstExpiring
        expiryParts.push(toVarints(count + index - lastExpiring, seconds), group.expiries.written)
        lastExpiring = count + group.lastExpiring
      }
      last = group.last
      count += group.count
    }
    const toBase64 = (parts: readonly Uint8Array[]) => Buffer.concat(parts).toString('base64')
    return { count, ids: toBase64(idParts), expiries: toBase64(expiryParts) }
  }

  #open(digits: number, first: number): Group {
    const group: Group = {
      first,
      last: first,
      count: 0,
      differences: new VarintWriter(),
      firstExpiring: null,
      lastExpiring: 0,
      expiries: new VarintWriter(),
    }
    this.#groups[digits] = group
    return group
  }
}

function addExpiry(group: Group, seconds: number): void {
  const index = group.count
  if (group.firstExpiring === null) group.firstExpiring = { index, seconds }
  else {
    group.expiries.write(index - group.lastExpiring)
    group.expiries.write(seconds)
  }
  group.lastExpiring = index
}

function toVarints(...values: readonly number[]): Uint8Array {
  const writer = new VarintWriter()
  for (const value of values) writer.write(value)
  return writer.written
}
