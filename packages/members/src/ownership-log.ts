import {
  type Changes,
  type LoggedChange,
  parseChanges,
  WORKSPACE_CREATION,
  type WorkspaceLog,
} from '@reeve/audit'
import type { MembershipEvent } from './membership-history.ts'

/** The entries about a workspace itself, as far as they concern its members. */
export interface OwnershipLog {
  /** The owner; undefined if the log does not say. */
  readonly ownerId: string | undefined
  /** The accounts that the entries name as members. */
  readonly accountIds: readonly string[]
  /** What the log says about a member, oldest first. @param logged the entries about the member, oldest first */
  readonly mergeEvents: (accountId: string, logged: readonly LoggedChange[]) => MembershipEvent[]
}

interface SequencedEvent {
  readonly sequence: number
  readonly event: MembershipEvent
}

/** Reads who owned a workspace. Creating and transferring it are not entries about its members. */
export async function readOwnership(log: WorkspaceLog): Promise<OwnershipLog> {
  const entries: LoggedChange[] = []
  for await (const entry of log.readChanges('workspace')) entries.push(entry)
  entries.sort((one, other) => one.sequence - other.sequence)
  let ownerId: string | undefined
  const events = new Map<string, SequencedEvent[]>()
  const addEvent = (accountId: unknown, sequence: number, event: MembershipEvent) => {
    if (typeof accountId !== 'string') return
    const applied = toAppliedEvent(log, sequence, event)
    if (applied) events.set(accountId, [...(events.get(accountId) ?? []), { sequence, event: applied }])
  }
  for (const { action, sequence, changes } of entries) {
    const { before, after } = changes === null ? { before: null, after: null } : parseChanges(changes)
    // The first entry of a workspace, or of a copy.
    if (before === null) ownerId ??= toText(after?.ownerId)
    if (action === WORKSPACE_CREATION) {
      addEvent(after?.ownerId, sequence, { kind: 'joined', roleIds: [] })
    }
    if (action === 'workspaces.transfer') {
      // A roll-back changes members, but never the owner.
      ownerId = toText(after?.ownerId)
      const roleIds = toRoleIds(after?.rolesOfFormerOwner)
      addEvent(before?.ownerId, sequence, { kind: 'roles', roleIds })
    }
  }
  const isFrozenAt = createFrozenCheck(entries)
  return {
    ownerId,
    accountIds: [...events.keys()],
    mergeEvents(accountId, logged) {
      const own = logged.flatMap((change): SequencedEvent[] => {
        const event = toMembershipEvent(change)
        const applied = event && toAppliedEvent(log, change.sequence, event)
        if (!applied) return []
        const isUncertain = applied.kind === 'left' && isFrozenAt(change.sequence)
        return [{ sequence: change.sequence, event: isUncertain ? { kind: 'uncertain' } : applied }]
      })
      return [...(events.get(accountId) ?? []), ...own]
        .sort((one, other) => one.sequence - other.sequence)
        .map(({ event }) => event)
    },
  }
}

function toAppliedEvent(log: WorkspaceLog, sequence: number, event: MembershipEvent): MembershipEvent | null {
  const state = log.getState(sequence)
  if (state === 'unknown') return { kind: 'uncertain' }
  return state === 'applied' ? event : null
}

function toMembershipEvent({ changes }: LoggedChange): MembershipEvent | null {
  if (changes === null) return null
  const { before, after, unchangedItems }: Changes = parseChanges(changes)
  if (after === null) return { kind: 'left' }
  if (before === null) return { kind: 'joined', roleIds: toRoleIds(after.roles) }
  if (after.roles === undefined) return null
  const roleIds = toRoleIds(after.roles)
  if (unchangedItems?.roles === undefined) return { kind: 'roles', roleIds }
  const removed = toRoleIds(before.roles).filter((id) => !roleIds.includes(id))
  return { kind: 'some_roles', removed, added: roleIds }
}

/**
 * Whether somebody who left at a sequence can be in the archive that a later roll-back restored: an archived workspace does not
 * change, except that members can leave, while its archive is being written.
 */
function createFrozenCheck(entries: readonly LoggedChange[]): (sequence: number) => boolean {
  const lastRollBack = entries.findLast(({ action }) => action === 'workspaces.roll_back')?.sequence ?? 0
  return (sequence) => {
    if (sequence > lastRollBack) return false
    const last = entries.findLast((entry) => entry.sequence < sequence && STATE_ACTIONS.has(entry.action))
    return last?.action === 'workspaces.archive'
  }
}

const STATE_ACTIONS: ReadonlySet<string> = new Set([
  'workspaces.archive',
  'workspaces.restore',
  'workspaces.roll_back',
])

const toText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

const toRoleIds = (roles: unknown): string[] =>
  Array.isArray(roles) ? roles.map((role: { readonly id: string }) => role.id) : []
