import { CREATE_PERMISSIONS, LIFT_PERMISSIONS, type Permission } from '@reeve/core'

/** The fields that say what an action is to do, beside the fields that say where and on whose behalf. */
export const actionFields = [
  'userId',
  'userUsername',
  'reason',
  'severity',
  'durationSeconds',
  'evidence',
  'id',
  'value',
] as const

export type ActionField = (typeof actionFields)[number]

interface ActionRule {
  readonly permission: Permission
  /** Fields without which it is refused. */
  readonly required: readonly ActionField[]
  /** Further fields it uses; all others are refused, so that nothing is dropped silently. */
  readonly optional: readonly ActionField[]
}

const recordRule = {
  required: ['userId', 'reason'],
  optional: ['userUsername', 'severity', 'evidence'],
} as const
const sanctionRule = {
  required: recordRule.required,
  optional: [...recordRule.optional, 'durationSeconds'],
} as const
/** Needs one of `userId` and `id`, which `problemsWith` checks. */
const liftRule = { required: [], optional: ['userId', 'id', 'reason'] } as const
const appendRule = { required: ['id', 'value'], optional: [] } as const

/** Every action that changes something: who may, and with which fields. */
export const actions = {
  note: { permission: CREATE_PERMISSIONS.note, ...recordRule },
  warn: { permission: CREATE_PERMISSIONS.warn, ...recordRule },
  kick: { permission: CREATE_PERMISSIONS.kick, ...recordRule },
  mute: { permission: CREATE_PERMISSIONS.mute, ...sanctionRule },
  ban: { permission: CREATE_PERMISSIONS.ban, ...sanctionRule },
  unmute: { permission: LIFT_PERMISSIONS.mute, ...liftRule },
  unban: { permission: LIFT_PERMISSIONS.ban, ...liftRule },
  edit: { permission: 'moderation.edit', required: ['id'], optional: [...sanctionRule.optional, 'reason'] },
  extend: { permission: 'moderation.edit', ...appendRule },
  comment: { permission: 'moderation.note', ...appendRule },
  evidence: { permission: 'moderation.note', ...appendRule },
  acknowledge: { permission: 'moderation.note', required: ['id'], optional: [] },
  revoke: { permission: 'moderation.revoke', required: ['id', 'reason'], optional: [] },
  redact: { permission: 'moderation.redact', required: ['id', 'reason'], optional: [] },
} as const satisfies Record<string, ActionRule>

export type Action = keyof typeof actions

/** Other words for an action. `temp_ban` and `perm_ban` say besides whether the ban has an end. */
const aliases = { warning: 'warn', temp_ban: 'ban', perm_ban: 'ban', pardon: 'unban' } as const

export type ActionName = Action | keyof typeof aliases

export const actionNames = [...Object.keys(actions), ...Object.keys(aliases)] as ActionName[]

const isAlias = (name: ActionName): name is keyof typeof aliases => Object.hasOwn(aliases, name)

/** The action that a word means. */
export const resolveAction = (name: ActionName): Action => (isAlias(name) ? aliases[name] : name)

/** What an action uses, its needs included. */
export const getActionFields = (action: Action): ReadonlySet<ActionField> =>
  new Set([...actions[action].required, ...actions[action].optional])

/** Every permission that an action may need at least. */
export const actionPermissions: readonly Permission[] = [
  ...new Set(Object.values(actions).map(({ permission }) => permission)),
]
