import { parseChanges } from '@reeve/audit'
import type { WebhookEvent } from '@reeve/core'
import type { AuditTable } from '@reeve/db'
import type { DueEvent, ExpiryReport } from './due-event.ts'

export const ENTRY_COLUMNS = [
  'sequence',
  'at',
  'action',
  'target_kind',
  'target_id',
  'actor_kind',
  'actor_id',
  'actor_name',
  'changes',
] as const

/** The part of an entry of the audit log that decides about its events. */
export type Entry = Pick<AuditTable, (typeof ENTRY_COLUMNS)[number]>

/** The actions that create a record and those that end one; the others change it. */
const CREATING: ReadonlySet<string> = new Set(['note', 'warn', 'kick', 'mute', 'ban'])
const ENDING: ReadonlySet<string> = new Set(['unban', 'unmute', 'revoke', 'supersede', 'expire', 'reject'])
/** Those of them that end a sanction in force, or one whose expiry nobody has been told yet. */
const ENDING_IN_FORCE: ReadonlySet<string> = new Set(['unban', 'unmute', 'supersede', 'expire'])

type Fields = Readonly<Record<string, unknown>> | null

/** What a change replaced and set, and the report of the record's expiry. */
interface Change {
  readonly before: Fields
  readonly after: Fields
  readonly expiry: ExpiryReport
}

const selectors: Readonly<Record<string, (verb: string, change: Change) => readonly WebhookEvent[]>> = {
  moderation(verb, { before, after, expiry }) {
    // The records of another tool are no news, and there are many of them.
    if (verb === 'import') return []
    if (verb === 'erase') return ['record.erased']
    if (verb === 'expire' && expiry !== null) return []
    // A redacted entry no longer says of what it is.
    const isBan = verb === 'ban' || verb === 'unban' || (after ?? before)?.action === 'ban'
    if (CREATING.has(verb)) return isBan ? ['record.created', 'ban.created'] : ['record.created']
    if (verb === 'restore') return selectReverted(isBan, { before, after, expiry })
    if (!ENDING.has(verb)) return ['record.updated']
    // A ban that has expired can still be revoked, but not end again.
    const ends =
      ENDING_IN_FORCE.has(verb) ||
      before?.status === 'active' ||
      (before?.status === 'expired' && expiry === null)
    return isBan && ends ? ['record.ended', 'ban.ended'] : ['record.ended']
  },
  // Drafts are nobody's business outside.
  events(verb, { before, after }) {
    const [wasPublished, isPublished] = [before?.published === 'true', after?.published === 'true']
    if (verb === 'delete') return wasPublished ? ['event.deleted'] : []
    if (isPublished) return wasPublished ? ['event.updated'] : ['event.published']
    return wasPublished ? ['event.updated'] : []
  },
  appeals: (verb) => selectByVerb(verb, appealEvents),
  retention: (verb) => (verb === 'delete' ? ['records.deleted'] : []),
  departments: (verb) => selectByVerb(verb, departmentEvents),
  members: (verb) => selectByVerb(verb, memberEvents),
  roles: (verb) => selectByVerb(verb, roleEvents),
  workspaces: (verb) => selectByVerb(verb, workspaceEvents),
  api_keys: (verb) => selectByVerb(verb, keyEvents),
  endpoint_controls: (verb) => (verb === 'set' ? ['endpoint_control.updated'] : []),
}

/** The events of a change that was reverted, after which a record can count again, or have ended. */
function selectReverted(isBan: boolean, { before, after, expiry }: Change): readonly WebhookEvent[] {
  // Those who only follow bans must know.
  if (after?.status === 'active') return isBan ? ['record.updated', 'ban.created'] : ['record.updated']
  // The end of one that the reversal lets expire is found like every expiry, unless it is before those that were found.
  const ends = before?.status === 'active' && (after?.status !== 'expired' || expiry === 'earlier')
  if (!ends) return ['record.updated']
  return isBan ? ['record.ended', 'ban.ended'] : ['record.ended']
}

/** An event of an entry, and what it is about. */
export interface SelectedEvent {
  readonly type: WebhookEvent
  readonly resource: DueEvent['resource']
}

type EventsByVerb = Readonly<Record<string, WebhookEvent>>

const appealEvents: EventsByVerb = {
  submit: 'appeal.submitted',
  reply: 'appeal.updated',
  message: 'appeal.updated',
  attach_file: 'appeal.updated',
  review: 'appeal.updated',
  withdraw: 'appeal.updated',
  restore: 'appeal.updated',
  decide: 'appeal.decided',
}
const departmentEvents: EventsByVerb = {
  create: 'department.created',
  update: 'department.updated',
  set_members: 'department.updated',
  delete: 'department.deleted',
  restore: 'department.restored',
}
const memberEvents: EventsByVerb = {
  join: 'member.joined',
  set_roles: 'member.updated',
  remove: 'member.removed',
  leave: 'member.removed',
}
const roleEvents: EventsByVerb = { create: 'role.created', update: 'role.updated', delete: 'role.deleted' }
const workspaceEvents: EventsByVerb = { archive: 'workspace.archived', restore: 'workspace.restored' }
const keyEvents: EventsByVerb = { create: 'api_key.created', revoke: 'api_key.revoked' }

const selectByVerb = (verb: string, events: EventsByVerb): readonly WebhookEvent[] => {
  const event = Object.hasOwn(events, verb) ? events[verb] : undefined
  return event === undefined ? [] : [event]
}

/** The fields of the resource before and after the change; none if they were redacted since. */
const readChanges = ({ changes }: Entry): { before: Fields; after: Fields } =>
  changes === null ? { before: null, after: null } : parseChanges(changes)

/** A deleted role without its former holders, whom `roles.view` does not show. */
const withoutHolders = ({ heldBy: _, ...fields }: NonNullable<Fields>): Fields => fields

/** The events of an entry of the audit log, and the fields that the resource had before. */
export function selectEvents(
  entry: Entry,
  expiry: ExpiryReport,
): { events: readonly SelectedEvent[]; before: Fields } {
  const [resource = '', verb = ''] = entry.action.split('.')
  const { target_kind: kind, target_id: id } = entry
  const select = Object.hasOwn(selectors, resource) ? selectors[resource] : undefined
  // What belongs to a record, such as who works on it, is no change of the record.
  if (!select || (resource === 'moderation' && kind !== 'record')) return { events: [], before: null }
  const { before, after } = readChanges(entry)
  const toEvent = (type: WebhookEvent, target = { kind, id }): SelectedEvent => ({ type, resource: target })
  // These are one entry about two resources.
  if (entry.action === 'api_keys.rotate') {
    const replacedBy = { kind, id: String(after?.replacedBy ?? '') }
    return { events: [toEvent('api_key.created', replacedBy), toEvent('api_key.revoked')], before }
  }
  if (entry.action === 'workspaces.transfer') {
    const owners = [before?.ownerId, after?.ownerId].map((ownerId) => ({
      kind: 'member',
      id: String(ownerId),
    }))
    return { events: owners.map((owner) => toEvent('member.updated', owner)), before: null }
  }
  const events = select(verb, { before, after, expiry }).map((type) => toEvent(type))
  return { events, before: before && withoutHolders(before) }
}
