import type { Actor } from '@reeve/core'

type Fields = Readonly<Record<string, unknown>>

/** The content of an entry: what a change set or replaced. */
export interface Changes {
  /** The replaced values; null if the resource did not exist. */
  readonly before: Fields | null
  /** The new values; null if the resource no longer exists. */
  readonly after: Fields | null
  /** How many items at the start and at the end of a changed list stayed the same, and are therefore left out. */
  readonly unchangedItems?: Readonly<Record<string, number>>
}

/** The JSON of a row. */
interface StoredChanges extends Changes {
  /** Unchanged fields that name the target. */
  readonly target?: Fields
  /** Without it, a redacted short text could be guessed from its hash. */
  readonly salt: string
}

/**
 * The fields that name a target or that the meaning of its other fields depends on, by kind of target: an entry always
 * contains them. Who may see a missed change of an event depends on `published`.
 */
const NAMING_FIELDS: Readonly<Record<string, readonly string[]>> = {
  record: ['caseNumber', 'action', 'userId', 'userUsername'],
  saved_view: ['name'],
  template: ['name'],
  ladder: ['name'],
  assignment: ['recordId', 'username'],
  pinned_note: ['userId'],
  player_link: ['userId', 'linkedUserId'],
  appeal: ['caseNumber', 'userId', 'userUsername'],
  event: ['title', 'published'],
  department: ['name'],
  member: ['username'],
  invitation: ['note'],
  role: ['name'],
  api_key: ['name'],
  webhook: ['name'],
  endpoint_control: ['endpoint', 'mode'],
  workspace: ['groupName'],
  account: ['username'],
  import: ['fileName'],
  retention_run: ['records'],
}

/** Fields that change with every write, and the second name of a field. */
const LEFT_OUT: ReadonlySet<string> = new Set(['updatedAt', 'updatedBy', 'version', 'sequence', 'image_url'])

/** What a change is about, and the columns of its row. */
export interface ChangeContext {
  readonly actor: Actor
  readonly workspaceId: string
  readonly target: { readonly kind: string; readonly id: string }
}

/**
 * The JSON to store for a change: of a new or deleted resource the fields that are set, otherwise the fields that differ.
 * @param before the resource before the change, absent for a new one @param after the same after it
 */
export function formatChanges(
  context: ChangeContext,
  before: object | null | undefined,
  after: object | null | undefined,
  salt: string,
): string {
  const changes: Omit<StoredChanges, 'salt'> =
    before && after
      ? diffResources(context.target.kind, before as Fields, after as Fields)
      : {
          before: before ? pickSetFields(context, before as Fields) : null,
          after: after ? omit(pickSetFields(context, after as Fields), 'createdAt') : null,
        }
  return JSON.stringify({ ...changes, salt })
}

/** Reads what `formatChanges` returned. The fields that name the target are on both sides. */
export function parseChanges(json: string): Changes {
  const { before, after, target, unchangedItems }: StoredChanges = JSON.parse(json)
  return {
    before: before && { ...target, ...before },
    after: after && { ...target, ...after },
    ...(unchangedItems && { unchangedItems }),
  }
}

/** The fields that are set, without those that the row has in its own columns. */
function pickSetFields({ actor, workspaceId, target }: ChangeContext, resource: Fields): Fields {
  const columns: Fields = {
    id: target.id,
    accountId: target.id,
    workspaceId,
    createdBy: actor.id,
    createdByUsername: actor.name,
    actorUserId: actor.id,
    actorUsername: actor.name,
  }
  const picked: Record<string, unknown> = {}
  for (const field in resource) {
    const value = resource[field]
    if (isSet(value) && !LEFT_OUT.has(field) && columns[field] !== value) picked[field] = value
  }
  return picked
}

const isSet = (value: unknown): boolean =>
  value !== null && value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0)

const omit = (resource: Fields, field: string): Fields => {
  const { [field]: _, ...others } = resource
  return others
}

function diffResources(kind: string, before: Fields, after: Fields): Omit<StoredChanges, 'salt'> {
  const target: Record<string, unknown> = {}
  const replaced: Record<string, unknown> = {}
  const current: Record<string, unknown> = {}
  const unchangedItems: Record<string, number> = {}
  for (const field of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [old, value] = [before[field], after[field]]
    if (LEFT_OUT.has(field)) continue
    if (isSame(old, value)) {
      if (NAMING_FIELDS[kind]?.includes(field) && isSet(value)) target[field] = value
    } else if (Array.isArray(old) && Array.isArray(value)) {
      const range = findChangedRange(old, value)
      replaced[field] = old.slice(range.start, old.length - range.end)
      current[field] = value.slice(range.start, value.length - range.end)
      if (range.start + range.end > 0) unchangedItems[field] = range.start + range.end
    } else {
      replaced[field] = old
      current[field] = value
    }
  }
  return {
    before: replaced,
    after: current,
    ...(Object.keys(target).length > 0 && { target }),
    ...(Object.keys(unchangedItems).length > 0 && { unchangedItems }),
  }
}

const isSame = (one: unknown, other: unknown): boolean =>
  one === other || (typeof one === 'object' && JSON.stringify(one) === JSON.stringify(other))

/** How many items two lists have in common at their start and at their end. */
function findChangedRange(old: readonly unknown[], value: readonly unknown[]) {
  const shorter = Math.min(old.length, value.length)
  let start = 0
  while (start < shorter && isSame(old[start], value[start])) start++
  let end = 0
  while (end < shorter - start && isSame(old.at(-1 - end), value.at(-1 - end))) end++
  return { start, end }
}
