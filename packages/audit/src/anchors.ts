import { type Queries, statement } from '@reeve/db'
import { listChains } from './chains.ts'

const rowHash = statement<{ workspaceId: string; sequence: number }>()((sql, p) =>
  sql
    .selectFrom('audit')
    .select('hash')
    .where('workspace_id', '=', p.workspaceId)
    .where('sequence', '=', p.sequence),
)

/** The last row of a chain at some time: its sequence and its hash. */
export type Anchor = readonly [sequence: number, hash: string]

/** The anchored rows of a chain by their sequence, in ascending order, with the time at which they were anchored. */
export type ChainAnchors = ReadonlyMap<number, { readonly hash: string; readonly at: string }>
/** The same by chain. */
export type Anchors = ReadonlyMap<string, ChainAnchors>

/**
 * The last row of each chain that has more rows than when it was last asked for.
 * @param known the sequences by chain of the last time, which this updates
 */
export async function* readAnchors(
  queries: Queries,
  known: Map<string, number>,
): AsyncGenerator<{ readonly chain: string; readonly anchor: Anchor }> {
  for (const { workspace_id: chain, audit_sequence: sequence } of await listChains(queries)) {
    if (known.get(chain) === sequence) continue
    known.set(chain, sequence)
    const row = await queries.first(rowHash, { workspaceId: chain, sequence })
    // A chain without rows has nothing to anchor.
    if (row) yield { chain, anchor: [sequence, row.hash] }
  }
}

/**
 * Reads anchors from the lines of a log or of an anchor file. Lines without anchors are skipped, and so is what precedes the JSON of
 * a line, such as the time of a system log.
 */
export async function parseAnchors(lines: AsyncIterable<string> | Iterable<string>): Promise<Anchors> {
  const found = new Map<string, Map<number, { hash: string; at: string }>>()
  for await (const line of lines) {
    if (!line.includes('"chains"')) continue
    const { time, chains } = parseLine(line.slice(line.indexOf('{')))
    for (const [chain, [sequence, hash]] of Object.entries(chains)) {
      const anchors = found.get(chain) ?? new Map()
      // The first one: a later one with another hash would be of a rewritten log.
      if (!anchors.has(sequence)) anchors.set(sequence, { hash, at: time })
      found.set(chain, anchors)
    }
  }
  return new Map(
    [...found].map(([chain, anchors]) => [chain, new Map([...anchors].sort(([a], [b]) => a - b))]),
  )
}

interface AnchorLine {
  readonly time: string
  readonly chains: Readonly<Record<string, Anchor>>
}

function parseLine(json: string): AnchorLine {
  try {
    const { time, chains } = JSON.parse(json) as AnchorLine
    const isValid = Object.values(chains).every(
      (anchor) => Array.isArray(anchor) && Number.isInteger(anchor[0]) && typeof anchor[1] === 'string',
    )
    if (isValid) return { time: String(time), chains }
  } catch {
    // The same error as for a line of another form.
  }
  throw new Error('a line with anchors is damaged')
}
