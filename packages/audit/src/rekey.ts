import type { Actor, Ports } from '@reeve/core'
import { type AuditTable, type Database, type Queries, statement, type Transaction } from '@reeve/db'
import { appendAuditEntry, INSTANCE_CHAIN } from './append.ts'
import {
  type AuditKey,
  GENESIS,
  hashBlankedChanges,
  hashRow,
  hashUnkeyedRow,
  sealHead,
  toHashedRow,
} from './authenticate.ts'
import { listChains } from './chains.ts'
import { readChainBatches } from './read-chain.ts'
import { decryptPreviousKey, formatRekeyState, parseRekeyState, type RekeyState } from './rekey-state.ts'

/** The name of the progress among the secrets of the instance. */
const NAME = 'audit-rekey'

const storedState = statement()((sql) =>
  sql.selectFrom('instance_secret').select('value').where('name', '=', NAME),
)
const insertState = statement<{ value: string }>()((sql, p) =>
  sql.insertInto('instance_secret').values({ name: NAME, value: p.value }),
)
/** Changes the progress only if no other process has: it also locks the row until the commit. */
const replaceState = statement<{ value: string; expected: string }>()((sql, p) =>
  sql
    .updateTable('instance_secret')
    .set({ value: p.value })
    .where('name', '=', NAME)
    .where('value', '=', p.expected),
)
const deleteState = statement()((sql) => sql.deleteFrom('instance_secret').where('name', '=', NAME))
const headOf = statement<{ workspaceId: string }>()((sql, p) =>
  sql
    .selectFrom('workspace_head')
    .select(['audit_sequence', 'audit_hash'])
    .where('workspace_id', '=', p.workspaceId),
)
const updateSeal = statement<{ workspaceId: string; seal: string }>()((sql, p) =>
  sql.updateTable('workspace_head').set({ audit_hash: p.seal }).where('workspace_id', '=', p.workspaceId),
)
const updateRowHash = statement<{
  workspaceId: string
  sequence: number
  hash: string
  blankedHash: string | null
}>()((sql, p) =>
  sql
    .updateTable('audit')
    .set({ hash: p.hash, blanked_changes_hash: p.blankedHash })
    .where('workspace_id', '=', p.workspaceId)
    .where('sequence', '=', p.sequence),
)

/** Whether the log of an instance is not keyed yet, or not completely. */
export const isRekeyPending = async (queries: Queries): Promise<boolean> =>
  (await queries.first(storedState, {})) !== undefined

/**
 * Requests that an existing log is keyed, in the transaction in which an instance gets a secret key.
 * @param options.isUnverified whether it had another key before, which is lost: then its rows cannot be verified
 * @param options.previousKey the key that it had before, from `encryptPreviousKey`; null if there was none, or it is lost
 */
export async function requestRekey(
  tx: Transaction,
  key: AuditKey,
  options: Pick<RekeyState, 'isUnverified' | 'previousKey'>,
): Promise<void> {
  await tx.run(deleteState, {})
  const [first] = await listChains(tx)
  if (!first) return
  const start = toChainStart(first.workspace_id, { rows: 0, faults: 0, ...options })
  await tx.run(insertState, { value: formatRekeyState(key, start) })
}

const toChainStart = (chain: string, totals: ReturnType<typeof pickTotals>): RekeyState => ({
  ...totals,
  chain,
  sequence: 0,
  unkeyedHash: GENESIS,
  keyedHash: GENESIS,
  isBroken: false,
})

const pickTotals = ({ rows, faults, isUnverified, previousKey }: RekeyState) => ({
  rows,
  faults,
  isUnverified,
  previousKey,
})

/** The result of keying a log that was written before. */
export interface RekeyReport {
  readonly rows: number
  /** How many chains were broken. They stay broken at the same rows. */
  readonly faults: number
  /** Whether the rows had a key that is lost, so that they could not be verified. */
  readonly isUnverified: boolean
  /** Whether they had another key, with which they were verified. */
  readonly isRotation: boolean
}

/**
 * Keys a log that was written without a key, or with one that is lost, in steps that can be interrupted at any time. A row that does not match its hash
 * keeps it, so that it is found later too. Several processes can do this together.
 * @returns null if the log is keyed already
 */
export async function rekeyAudit(db: Database, ports: Ports, actor: Actor): Promise<RekeyReport | null> {
  let report: RekeyReport | null = null
  for (;;) {
    const stored = await db.read.first(storedState, {})
    if (stored === undefined) return report
    const chains = (await listChains(db.read)).map((head) => head.workspace_id)
    const result = await db.write((tx) => runStep(tx, ports, actor, stored.value, chains))
    report = result ?? report
  }
}

const isState = (next: RekeyState | RekeyReport): next is RekeyState => 'chain' in next

/** One transaction. @returns the report, if it was the last one */
async function runStep(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  expected: string,
  chains: readonly string[],
): Promise<RekeyReport | null> {
  // Another process may have run this step.
  if ((await tx.run(replaceState, { value: expected, expected })) === 0) return null
  const state = parseRekeyState(ports, expected)
  const { value: rows = [] } = await readChainBatches(tx, state.chain, state.sequence).next()
  const next =
    rows.length > 0
      ? await rekeyRows(tx, ports, state, rows)
      : await finishChain(tx, ports, state, findNext(chains, state.chain))
  if (isState(next)) {
    await tx.run(replaceState, { value: formatRekeyState(ports, next), expected })
    return null
  }
  await tx.run(deleteState, {})
  const target = { kind: 'audit_log', id: INSTANCE_CHAIN }
  await appendAuditEntry(tx, ports, actor, {
    action: next.isRotation ? 'audit.rotate_key' : 'audit.key',
    target,
    after: next,
    chain: INSTANCE_CHAIN,
  })
  return next
}

const findNext = (chains: readonly string[], chain: string): string | undefined =>
  chains.includes(chain) ? chains[chains.indexOf(chain) + 1] : undefined

/** Whether a row is as it was written, by the hash of the row before it. */
function createRowCheck(key: AuditKey, state: RekeyState) {
  const previous = decryptPreviousKey(key, state)
  return (row: AuditTable, isNext: boolean, hashBefore: string): boolean => {
    if (state.isUnverified) return true
    if (!isNext) return false
    if (previous === null) return hashUnkeyedRow(row, hashBefore) === row.hash
    const seal = sealHead(previous, row.workspace_id, row.sequence - 1, hashBefore)
    return hashRow(previous, toHashedRow(previous, row, seal)) === row.hash
  }
}

/** Proves with the new key that names in the changes of a row were blanked. If the previous key is known, its proof must be valid. */
function proveBlankedChanges(key: AuditKey, state: RekeyState, row: AuditTable): string | null {
  const { changes, changes_hash, blanked_changes_hash } = row
  if (changes === null || changes_hash === null) return null
  const previous = decryptPreviousKey(key, state)
  const isProven =
    previous === null || blanked_changes_hash === hashBlankedChanges(previous, row, changes_hash, changes)
  return isProven ? hashBlankedChanges(key, row, changes_hash, changes) : blanked_changes_hash
}

async function rekeyRows(
  tx: Transaction,
  key: AuditKey,
  state: RekeyState,
  rows: readonly AuditTable[],
): Promise<RekeyState> {
  const workspaceId = state.chain
  const isAuthentic = createRowCheck(key, state)
  let { sequence, unkeyedHash, keyedHash, isBroken } = state
  for (const row of rows) {
    const isNext = sequence === 0 || row.sequence === sequence + 1
    const isValid = isAuthentic(row, isNext, unkeyedHash)
    const seal = sealHead(key, workspaceId, row.sequence - 1, keyedHash)
    const hash = isValid ? hashRow(key, toHashedRow(key, row, seal)) : row.hash
    const blankedHash = proveBlankedChanges(key, state, row)
    if (isValid) await tx.run(updateRowHash, { workspaceId, sequence: row.sequence, hash, blankedHash })
    isBroken ||= !isValid
    ;({ sequence, hash: unkeyedHash } = row)
    keyedHash = hash
  }
  return { ...state, sequence, unkeyedHash, keyedHash, isBroken, rows: state.rows + rows.length }
}

/** Seals a chain whose rows are keyed. @returns the start of the next chain; the report if there is none */
async function finishChain(
  tx: Transaction,
  key: AuditKey,
  state: RekeyState,
  nextChain: string | undefined,
): Promise<RekeyState | RekeyReport> {
  const workspaceId = state.chain
  const head = await tx.first(headOf, { workspaceId })
  const last = state.sequence === 0 ? (head?.audit_sequence ?? 0) : state.sequence
  const previous = decryptPreviousKey(key, state)
  const expected =
    previous === null ? state.unkeyedHash : sealHead(previous, workspaceId, last, state.unkeyedHash)
  const isWhole = head?.audit_sequence === last && (state.isUnverified || head.audit_hash === expected)
  if (isWhole)
    await tx.run(updateSeal, { workspaceId, seal: sealHead(key, workspaceId, last, state.keyedHash) })
  const faults = state.faults + (state.isBroken || !isWhole ? 1 : 0)
  return nextChain === undefined
    ? { rows: state.rows, faults, isUnverified: state.isUnverified, isRotation: previous !== null }
    : toChainStart(nextChain, { ...pickTotals(state), faults })
}
