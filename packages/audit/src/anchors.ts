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
/** The anchored rows of several chains, by chain. */
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

/** The anchors of a file. */
export interface AnchorFile {
  readonly anchors: Anchors
  /** The numbers, from 1, of lines whose anchors cannot be read: such as one that was being written when the disk was full. */
  readonly damagedLines: readonly number[]
}

/**
 * Reads anchors from the lines of a log or of an anchor file. Lines without anchors are skipped, and so is what precedes the JSON of
 * a line, such as the time of a system log.
 */
export async function parseAnchors(lines: AsyncIterable<string> | Iterable<string>): Promise<AnchorFile> {
  const found = new Map<string, Map<number, { hash: string; at: string }>>()
  const damagedLines: number[] = []
  let number = 0
  for await (const line of lines) {
    number += 1
    if (!line.includes('"chains"')) continue
    const parsed = parseLine(line.slice(line.indexOf('{')))
    if (parsed === null) {
      damagedLines.push(number)
      continue
    }
    const { time, chains } = parsed
    for (const [chain, [sequence, hash]] of Object.entries(chains)) {
      const anchors = found.get(chain) ?? new Map()
      // The first one: a later one with another hash would be of a rewritten log.
      if (!anchors.has(sequence)) anchors.set(sequence, { hash, at: time })
      found.set(chain, anchors)
    }
  }
  const anchors = new Map(
    [...found].map(([chain, known]) => [chain, new Map([...known].sort(([a], [b]) => a - b))]),
  )
  return { anchors, damagedLines }
}

interface AnchorLine {
  readonly time: string
  readonly chains: Readonly<Record<string, Anchor>>
}

/** @returns null for a damaged line */
function parseLine(json: string): AnchorLine | null {
  try {
    const { time, chains } = JSON.parse(json) as AnchorLine
    const isValid = Object.values(chains).every(
      (anchor) => Array.isArray(anchor) && Number.isInteger(anchor[0]) && typeof anchor[1] === 'string',
    )
    return isValid ? { time: String(time), chains } : null
  } catch {
    return null
  }
}
