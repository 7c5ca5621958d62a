import type { AuditTable, Queries } from '@reeve/db'
import type { Anchors, ChainAnchors } from './anchors.ts'
import { INSTANCE_CHAIN } from './append.ts'
import { type AuditKey, GENESIS, sealHead } from './authenticate.ts'
import { collectBlankedNames } from './blanked-names.ts'
import { type ChainHead, listChains, listExpectedChains } from './chains.ts'
import { collectAccountCreations, isWorkspaceCreation } from './creations.ts'
import { readChainBatches } from './read-chain.ts'
import { collectRedactions, countUnloggedDeletions } from './redactions.ts'
import { findRowFault, UNEXPLAINED, UNEXPLAINED_NAME } from './row-fault.ts'

/** Where a chain is broken, with a message for the operator. */
export interface ChainFault {
  readonly workspaceId: string
  readonly sequence: number
  readonly fault: string
}

export interface VerifyOptions {
  /** The heads that were published before. */
  readonly anchors?: Anchors
  /** Receives the number of rows read so far. */
  readonly onProgress?: (rows: number) => void
  /** Receives each row, before it is verified. */
  readonly onRow?: (row: AuditTable) => void
}

export interface AuditReport {
  readonly rows: number
  readonly chains: number
  /** How many anchors were confirmed. */
  readonly anchored: number
  /** The first fault of each broken chain. */
  readonly faults: ChainFault[]
}

/**
 * Verifies every audit chain from its first row, which links to `GENESIS` and can have any sequence. The chains are those of all
 * workspaces and of the instance, so that a chain that was removed with its head is found, also if later changes have started
 * another one: that of a workspace begins with its creation, and that of the instance has the creation of every account.
 * @param key null if it is not there: then only gaps, missing chains and removed changes are found
 */
export async function verifyAudit(
  queries: Queries,
  key: AuditKey | null,
  { anchors = new Map(), onProgress, onRow }: VerifyOptions = {},
): Promise<AuditReport> {
  const heads = new Map((await listChains(queries)).map((head) => [head.workspace_id, head]))
  const chains = new Set([...(await listExpectedChains(queries)), ...heads.keys(), ...anchors.keys()])
  let [rows, anchored] = [0, 0]
  const faults: ChainFault[] = []
  const removed = new Set<string>()
  for (const workspaceId of chains) {
    // Requests that were in progress may have added rows, until the last of them are deleted.
    if (removed.has(workspaceId)) continue
    const before = rows
    const head = heads.get(workspaceId)
    const chainAnchors = anchors.get(workspaceId) ?? new Map()
    if (!head) {
      faults.push({ workspaceId, sequence: 0, fault: 'the chain was removed, or its head' })
      continue
    }
    const result = await verifyChain(
      queries,
      key,
      head,
      chainAnchors,
      (row) => {
        rows += 1
        onRow?.(row)
        if (workspaceId === INSTANCE_CHAIN && isWorkspaceRemoval(row)) removed.add(row.target_id)
      },
      () => onProgress?.(rows),
    )
    rows = before + result.rows
    anchored += result.anchored
    if (result.fault) faults.push(result.fault)
  }
  return { rows, chains: chains.size, anchored, faults }
}

/** The action of the entry of the instance that says so. */
export const WORKSPACE_REMOVAL = 'workspaces.delete'

/** Whether a row of the instance says that a workspace was deleted for good, with its chain. */
const isWorkspaceRemoval = ({ action, target_kind }: AuditTable): boolean =>
  target_kind === 'workspace' && action === WORKSPACE_REMOVAL

interface ChainResult {
  readonly rows: number
  readonly anchored: number
  readonly fault: ChainFault | null
}

async function verifyChain(
  queries: Queries,
  key: AuditKey | null,
  head: ChainHead,
  anchors: ChainAnchors,
  onRow: (row: AuditTable) => void,
  onProgress: () => void,
): Promise<ChainResult> {
  const workspaceId = head.workspace_id
  const unloggedDeletions = await countUnloggedDeletions(queries, workspaceId)
  const redactions = collectRedactions()
  const blankedNames = collectBlankedNames()
  const accounts = workspaceId === INSTANCE_CHAIN ? await collectAccountCreations(queries) : null
  let previous: AuditTable | null = null
  let [rows, anchored] = [0, 0]
  const toResult = (sequence: number, fault: string): ChainResult => ({
    rows,
    anchored,
    fault: { workspaceId, sequence, fault },
  })
  for await (const batch of readChainBatches(queries, workspaceId)) {
    for (const row of batch) {
      onRow(row)
      const fault =
        findRowFault(key, row, previous) ??
        (previous === null ? findStartFault(row) : null) ??
        redactions.add(row)
      blankedNames.add(row)
      accounts?.add(row)
      if (fault !== null) return toResult(row.sequence, fault)
      const anchor = anchors.get(row.sequence)
      if (anchor && anchor.hash !== row.hash)
        return toResult(row.sequence, `the row is not the one that was anchored at ${anchor.at}`)
      if (anchor) anchored += 1
      previous = row
      rows += 1
    }
    onProgress()
  }
  const cut = [...anchors].findLast(([sequence]) => sequence > (previous?.sequence ?? 0))
  const last = previous?.sequence ?? head.audit_sequence
  if (cut)
    return toResult(last, `rows at the end are missing: at ${cut[1].at}, there were rows up to ${cut[0]}`)
  const seal = key && sealHead(key, workspaceId, last, previous?.hash ?? GENESIS)
  if (last !== head.audit_sequence || (seal !== null && seal !== head.audit_hash))
    return toResult(last, 'rows at the end are missing')
  const unexplained = redactions.findUnexplained(unloggedDeletions)
  if (unexplained !== null) return toResult(unexplained, UNEXPLAINED)
  const withoutName = blankedNames.findUnexplained()
  if (withoutName !== null) return toResult(withoutName, UNEXPLAINED_NAME)
  const account = accounts?.findMissing() ?? null
  if (account !== null) return toResult(0, `the creation of account ${account} is missing`)
  return { rows, anchored, fault: null }
}

/** Why a chain cannot begin with a row, although the row itself is unchanged; null if it can. */
const findStartFault = (row: AuditTable): string | null =>
  row.workspace_id === INSTANCE_CHAIN || isWorkspaceCreation(row)
    ? null
    : 'the rows before it are missing, with the creation of the workspace'
