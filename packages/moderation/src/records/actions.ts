import {
  CREATE_PERMISSIONS,
  isRecordAction,
  LIFT_PERMISSIONS,
  type Permission,
  type StorageUse,
  wire,
} from '@reeve/core'
import { commentText, evidenceLines } from './codecs.ts'

/** The fields that an action may use. `workspaceId` and the fields of the person an API key acts for are always allowed. */
export const actionFields = [
  'userId',
  'userUsername',
  'reason',
  'severity',
  'durationSeconds',
  'evidence',
  'evidenceFiles',
  'id',
  'value',
  'templateId',
  'replaces',
] as const

export type ActionField = (typeof actionFields)[number]

interface ActionRule {
  readonly permission: Permission
  readonly required: readonly ActionField[]
  /** Further fields that the action uses. All others are rejected, so that no input is dropped silently. */
  readonly optional: readonly ActionField[]
  /** Two fields of which at least one is required. */
  readonly anyOf?: readonly [ActionField, ActionField]
  /** The format of `value`. */
  readonly value?: Pick<wire.Codec<unknown>, 'read'>
  /** Default: `essential`. */
  readonly storage?: StorageUse
}

const editable = ['userUsername', 'severity', 'evidence'] as const
const recordRule = {
  required: ['userId', 'reason'],
  optional: [...editable, 'evidenceFiles'],
} as const
const sanctionRule = {
  required: recordRule.required,
  optional: [...recordRule.optional, 'durationSeconds', 'replaces'],
} as const
const liftRule = {
  required: [],
  optional: ['reason'],
  anyOf: ['userId', 'id'],
  storage: 'exempt',
} as const
const appendRule = { required: ['id', 'value'], optional: [] } as const

/** The permission and the fields of every action that changes something. */
export const actions = {
  note: { permission: CREATE_PERMISSIONS.note, ...recordRule, storage: 'optional' },
  warn: { permission: CREATE_PERMISSIONS.warn, ...recordRule },
  kick: { permission: CREATE_PERMISSIONS.kick, ...recordRule },
  mute: { permission: CREATE_PERMISSIONS.mute, ...sanctionRule },
  ban: { permission: CREATE_PERMISSIONS.ban, ...sanctionRule },
  unmute: { permission: LIFT_PERMISSIONS.mute, ...liftRule },
  unban: { permission: LIFT_PERMISSIONS.ban, ...liftRule },
  edit: {
    permission: 'moderation.edit',
    required: ['id'],
    optional: [...editable, 'durationSeconds', 'reason'],
  },
  extend: { permission: 'moderation.edit', ...appendRule, value: wire.durationChange },
  comment: { permission: 'moderation.note', ...appendRule, value: commentText, storage: 'optional' },
  evidence: { permission: 'moderation.note', ...appendRule, value: evidenceLines, storage: 'optional' },
  acknowledge: { permission: 'moderation.note', required: ['id'], optional: [] },
  revoke: {
    permission: 'moderation.revoke',
    required: ['id', 'reason'],
    optional: [],
    storage: 'exempt',
  },
  redact: {
    permission: 'moderation.redact',
    required: ['id', 'reason'],
    optional: [],
    storage: 'exempt',
  },
} as const satisfies Record<string, ActionRule>

export type Action = keyof typeof actions

/** Other names of an action. `temp_ban` and `perm_ban` also state whether the ban is temporary. */
const aliases = { warning: 'warn', temp_ban: 'ban', perm_ban: 'ban', pardon: 'unban' } as const

export type ActionName = Action | keyof typeof aliases

export const actionNames = [...Object.keys(actions), ...Object.keys(aliases)] as ActionName[]

const isAlias = (name: ActionName): name is keyof typeof aliases => Object.hasOwn(aliases, name)

export const resolveAction = (name: ActionName): Action => (isAlias(name) ? aliases[name] : name)

/** The fields of a change by template in addition to `templateId`. A reason is optional, because the template has one. */
export const templateFields = [
  'userId',
  'userUsername',
  'reason',
  'severity',
  'evidence',
  'evidenceFiles',
] as const satisfies ActionField[]

export const getActionRule = (action: Action): ActionRule => actions[action]

/** Every action that creates a record can have a template. */
const TEMPLATE_FIELD: readonly ActionField[] = ['templateId']

const fieldsOfActions: ReadonlyMap<Action, ReadonlySet<ActionField>> = new Map(
  (Object.keys(actions) as Action[]).map((action) => {
    const { required, optional, anyOf = [] } = getActionRule(action)
    const template = isRecordAction(action) ? TEMPLATE_FIELD : []
    return [action, new Set([...required, ...anyOf, ...optional, ...template])]
  }),
)

/** Every field that an action uses, the required ones first. */
export const getActionFields = (action: Action): ReadonlySet<ActionField> =>
  fieldsOfActions.get(action) as ReadonlySet<ActionField>

/** Every permission that an action may require. */
export const actionPermissions: readonly Permission[] = [
  ...new Set(Object.values(actions).map(({ permission }) => permission)),
]
