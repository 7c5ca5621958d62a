/** Decodes `format=ids` of the snapshot as docs/api.md describes it, independently of the server's own code. */

function* readVarints(base64: string): Generator<bigint> {
  let value = 0n
  let shift = 0n
  for (const byte of Buffer.from(base64, 'base64')) {
    value |= BigInt(byte & 127) << shift
    shift += 7n
    if (byte >= 128) continue
    yield value
    value = 0n
    shift = 0n
  }
}

interface IdSet {
  readonly count: string
  readonly ids: string
  readonly expiries: string
  readonly others: readonly { readonly userId: string; readonly expiresAt: string | null }[]
}

/** The players of a set with their expiries; null is permanent. */
export function decodeIds({ count, ids, expiries, others }: IdSet): Map<string, string | null> {
  const players: string[] = []
  let id = 0n
  for (const difference of readVarints(ids)) {
    id += difference
    players.push(String(id))
  }
  if (players.length !== Number(count)) throw new Error(`${players.length} ids instead of ${count}`)
  const decoded = new Map<string, string | null>(players.map((player) => [player, null]))
  const values = [...readVarints(expiries)].map(Number)
  let index = 0
  for (let at = 0; at < values.length; at += 2) {
    index += values[at] ?? 0
    const seconds = (values[at + 1] ?? 0) + 1_577_836_800
    decoded.set(players[index] ?? '', new Date(seconds * 1000).toISOString())
  }
  for (const { userId, expiresAt } of others) decoded.set(userId, expiresAt)
  return decoded
}
