import { parseChanges } from '@reeve/audit'
import type { WebhookEvent } from '@reeve/core'
import type { AuditTable } from '@reeve/db'

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

type Fields = Readonly<Record<string, unknown>> | null

const selectors: Readonly<
  Record<string, (verb: string, before: Fields, after: Fields) => readonly WebhookEvent[]>
> = {
  moderation(verb, before, after) {
    // The records of another tool are no news, and there are many of them.
    if (verb === 'import') return []
    if (verb === 'erase') return ['record.erased']
    const isBan = (after ?? before)?.action === 'ban'
    if (CREATING.has(verb)) return isBan ? ['record.created', 'ban.created'] : ['record.created']
    if (!ENDING.has(verb)) return ['record.updated']
    // A ban that has expired can still be revoked, but not end again.
    const wasActive = before?.status === 'active' || verb === 'expire' || verb === 'supersede'
    return isBan && wasActive ? ['record.ended', 'ban.ended'] : ['record.ended']
  },
  // Drafts are nobody's business outside.
  events(verb, before, after) {
    const [wasPublished, isPublished] = [before?.published === 'true', after?.published === 'true']
    if (verb === 'delete') return wasPublished ? ['event.deleted'] : []
    if (isPublished) return wasPublished ? ['event.updated'] : ['event.published']
    return wasPublished ? ['event.updated'] : []
  },
  appeals: (verb) => selectByVerb(verb, appealEvents),
  retention: (verb) => (verb === 'delete' ? ['records.deleted'] : []),
  departments: (verb) => selectByVerb(verb, departmentEvents),
  members: (verb) => selectByVerb(verb, memberEvents),
  roles: (verb) => (verb === 'update' ? ['role.updated'] : []),
  workspaces: (verb) => selectByVerb(verb, workspaceEvents),
  api_keys: (verb) => selectByVerb(verb, keyEvents),
  endpoint_controls: (verb) => (verb === 'set' ? ['endpoint_control.updated'] : []),
}

/** An event of an entry, and what it is about. */
export interface SelectedEvent {
  readonly type: WebhookEvent
  readonly targetId: string
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
const workspaceEvents: EventsByVerb = { archive: 'workspace.archived', restore: 'workspace.restored' }
const keyEvents: EventsByVerb = { create: 'api_key.created', revoke: 'api_key.revoked' }

const selectByVerb = (verb: string, events: EventsByVerb): readonly WebhookEvent[] => {
  const event = Object.hasOwn(events, verb) ? events[verb] : undefined
  return event === undefined ? [] : [event]
}

/** The fields of the resource before and after the change; none if they were redacted since. */
const readChanges = ({ changes }: Entry): { before: Fields; after: Fields } =>
  changes === null ? { before: null, after: null } : parseChanges(changes)

/** The events of an entry of the audit log, and the fields that the resource had before. */
export function selectEvents(entry: Entry): { events: readonly SelectedEvent[]; before: Fields } {
  const [resource = '', verb = ''] = entry.action.split('.')
  const select = Object.hasOwn(selectors, resource) ? selectors[resource] : undefined
  if (!select) return { events: [], before: null }
  const { before, after } = readChanges(entry)
  const targetId = entry.target_id
  // A rotation is one entry about two keys.
  if (entry.action === 'api_keys.rotate') {
    const replacedBy = String(after?.replacedBy ?? '')
    return {
      events: [
        { type: 'api_key.created', targetId: replacedBy },
        { type: 'api_key.revoked', targetId },
      ],
      before,
    }
  }
  return { events: select(verb, before, after).map((type) => ({ type, targetId })), before }
}
