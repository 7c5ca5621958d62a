import { HIGHEST_ID } from '@reeve/core'
import type { Queries } from '@reeve/db'
import { parseChanges } from '../changes.ts'
import { RowReader } from './row-reader.ts'
import { type LoggedChange, openWorkspaceLog, PAGE_ROWS, type WorkspaceLog } from './workspace-log.ts'

/** How a resource differs from the audit log. */
export interface ResourceDifference {
  readonly workspaceId: string
  readonly id: string
  readonly kind: 'changed' | 'missing' | 'unknown'
  /** The fields that differ. */
  readonly fields: readonly string[]
}

/** A kind of resources whose changes are in the log as what the API returns. */
export interface ComparedResource<Row extends { readonly id: string }> {
  /** The kind of target in the log. */
  readonly target: string
  /** Reads the rows below an id, highest first. */
  readonly readRows: (read: Queries, key: RowsKey) => Promise<readonly Row[]>
  /** The fields that the log has, as the API returns them. */
  readonly present: (row: Row) => Readonly<Record<string, unknown>>
  /** The actions that the log has the fields of, if others have the same target. */
  readonly actions?: ReadonlySet<string>
  /** Whether the creation of a row is not in the log. */
  readonly isUnlogged?: (row: Row) => boolean
}

export interface RowsKey {
  readonly workspaceId: string
  readonly beforeId: string
  readonly limit: number
}

/**
 * Compares the resources of a kind in a workspace with the last values that the audit log has of their fields.
 * @returns the number of resources
 */
export async function compareResources<Row extends { readonly id: string }>(
  read: Queries,
  workspaceId: string,
  resource: ComparedResource<Row>,
  onDifference: (difference: ResourceDifference) => void,
): Promise<number> {
  const log = await openWorkspaceLog(read, workspaceId)
  if (log === null) return 0
  const changes = log.readChanges(resource.target)
  const rows = new RowReader<Row>(PAGE_ROWS, (last) =>
    resource.readRows(read, { workspaceId, beforeId: last?.id ?? HIGHEST_ID, limit: PAGE_ROWS }),
  )
  let count = 0
  for (;;) {
    const [row, change] = [await rows.peek(), await changes.peek()]
    if (row === undefined && change === undefined) return count
    const id =
      change !== undefined && (row === undefined || change.target_id > row.id)
        ? change.target_id
        : String(row?.id)
    const current = row?.id === id ? row : undefined
    const known = await readLastValues(log, changes, id, resource.actions)
    if (current !== undefined) {
      rows.skip()
      count += 1
    }
    const difference = compareResource(log, resource, known, current)
    if (difference !== null) onDifference({ workspaceId, id, ...difference })
  }
}

interface LastValue {
  /** Of a list, the items between those that the last change left as they were. */
  readonly value: unknown
  /** The number of items around them. */
  readonly unchangedItems: number
}

/** What the log says about a resource. */
interface LastValues {
  /** Null if there is no change that is still applied. */
  readonly exists: boolean | null
  readonly fields: ReadonlyMap<string, LastValue>
  /** Whether the log has the creation, so that fields it does not name are not set. */
  readonly isComplete: boolean
}

/** Reads all changes of a resource. */
async function readLastValues(
  { getState }: WorkspaceLog,
  changes: RowReader<LoggedChange>,
  id: string,
  actions?: ReadonlySet<string>,
): Promise<LastValues> {
  const fields = new Map<string, LastValue>()
  let exists: boolean | null = null
  let isComplete = false
  let isKnown = true
  for (let change = await changes.peek(); change?.target_id === id; change = await changes.peek()) {
    changes.skip()
    if (actions?.has(change.action) === false) continue
    const state = getState(change.sequence)
    if (state === 'unknown') isKnown = false
    if (state !== 'applied' || !isKnown || isComplete || change.changes === null) continue
    const { before, after, unchangedItems } = parseChanges(change.changes)
    exists ??= after !== null
    for (const [field, value] of Object.entries(after ?? {}))
      if (!fields.has(field)) fields.set(field, { value, unchangedItems: unchangedItems?.[field] ?? 0 })
    // What was there before a deletion no longer matters.
    isComplete = before === null || after === null
  }
  return { exists, fields, isComplete: isComplete && exists === true }
}

function compareResource<Row extends { readonly id: string }>(
  { copiedUntil }: WorkspaceLog,
  { present, isUnlogged }: ComparedResource<Row>,
  { exists, fields, isComplete }: LastValues,
  row: Row | undefined,
): Pick<ResourceDifference, 'kind' | 'fields'> | null {
  if (row === undefined) return exists === true ? { kind: 'missing', fields: [] } : null
  if (exists === false) return { kind: 'unknown', fields: [] }
  if (exists === null)
    return copiedUntil > 0 || isUnlogged?.(row) === true ? null : { kind: 'unknown', fields: [] }
  const differing = Object.entries(present(row)).filter(([field, value]) => {
    const last = fields.get(field)
    return last === undefined ? isComplete && isSet(value) : !matches(value, last)
  })
  return differing.length === 0 ? null : { kind: 'changed', fields: differing.map(([field]) => field) }
}

/** Whether a value can be the one that a change left. How many of the unchanged items are at the start of a list is not known. */
function matches(value: unknown, last: LastValue): boolean {
  if (last.unchangedItems === 0) return isSame(value, last.value)
  if (!Array.isArray(value) || !Array.isArray(last.value)) return false
  const { length } = last.value
  if (value.length !== length + last.unchangedItems) return false
  return value.some((_, start) => isSame(value.slice(start, start + length), last.value))
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

const isSet = (value: unknown): boolean => value !== null && value !== ''
