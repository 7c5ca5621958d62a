import { isPermission, permissionCatalog } from '@reeve/core'
import { dateTime } from '../../format/time.ts'
import type { Snapshot } from './data.ts'

/** What says nothing to a reader: it changes with everything, or is told elsewhere. */
const MUTE = new Set(['id', 'workspaceId', 'updatedAt', 'version', 'sequence', 'image_url', 'updatedBy'])

const names: Readonly<Record<string, string>> = {
  userId: 'Player id',
  userUsername: 'Player name',
  caseNumber: 'Case',
  durationSeconds: 'Duration in seconds',
  expiresAt: 'Ends',
  actorUserId: 'Done by, id',
  actorUsername: 'Done by',
  actorPlatformUserId: 'Done by, platform id',
  createdAt: 'Made',
  createdBy: 'Made by',
  acknowledgedAt: 'Seen by the player',
  groupName: 'Group name',
  isOwner: 'Owner',
  color: 'Colour',
  why: 'Why',
}

/** `trainingHost` → `Training host`. */
export const fieldName = (field: string): string =>
  names[field] ??
  field
    .replace(/^./, (first) => first.toUpperCase())
    .replace(/[A-Z]/g, (capital, at) => (at === 0 ? capital : ` ${capital.toLowerCase()}`))

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/

/** A value in lines of text, each of them one item of a list; none where there is nothing. */
export function linesOf(value: unknown): readonly string[] {
  if (value === null || value === undefined || value === '') return []
  if (Array.isArray(value)) return value.map(lineOf)
  if (typeof value === 'string' && value.startsWith('["')) return linesOfList(value)
  return [lineOf(value)]
}

function linesOfList(text: string): readonly string[] {
  try {
    return linesOf(JSON.parse(text))
  } catch {
    return [text]
  }
}

function lineOf(value: unknown): string {
  if (typeof value === 'string') {
    if (MOMENT.test(value)) return dateTime(value)
    return isPermission(value) ? permissionCatalog[value].replace(/\.$/, '') : value
  }
  if (typeof value !== 'object' || value === null) return String(value)
  const { username, name, body, text } = value as Snapshot
  const known = username ?? name ?? body ?? text
  return typeof known === 'string' ? known : JSON.stringify(value)
}

/** A field of a record, before and after. */
export interface FieldChange {
  readonly field: string
  readonly before: readonly string[]
  readonly after: readonly string[]
  readonly isChanged: boolean
}

/** The fields of a record that hold something, in their order. */
export function fieldsOf(before: Snapshot | null, after: Snapshot | null): readonly FieldChange[] {
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  return fields
    .filter((field) => !MUTE.has(field))
    .map((field) => ({
      field,
      before: linesOf(before?.[field]),
      after: linesOf(after?.[field]),
      isChanged: JSON.stringify(before?.[field] ?? null) !== JSON.stringify(after?.[field] ?? null),
    }))
    .filter((one) => one.before.length + one.after.length > 0)
}
