import type { Permission } from '@reeve/core'

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
  readonly needs: readonly ActionField[]
  /** Further fields it uses; all others are refused, so that nothing is dropped silently. */
  readonly takes: readonly ActionField[]
}

const entry = { needs: ['userId', 'reason'], takes: ['userUsername', 'severity', 'evidence'] } as const
const restraint = { needs: entry.needs, takes: [...entry.takes, 'durationSeconds'] } as const
/** Needs one of `userId` and `id`, which `problemsWith` checks. */
const lift = { needs: [], takes: ['userId', 'id', 'reason'] } as const
const addition = { needs: ['id', 'value'], takes: [] } as const

/** Every action that changes something: who may, and with which fields. */
export const actions = {
  note: { permission: 'moderation.note', ...entry },
  warn: { permission: 'moderation.warn', ...entry },
  kick: { permission: 'moderation.kick', ...entry },
  mute: { permission: 'moderation.mute', ...restraint },
  ban: { permission: 'moderation.ban', ...restraint },
  unmute: { permission: 'moderation.mute', ...lift },
  unban: { permission: 'moderation.unban', ...lift },
  edit: { permission: 'moderation.edit', needs: ['id'], takes: [...restraint.takes, 'reason'] },
  extend: { permission: 'moderation.edit', ...addition },
  comment: { permission: 'moderation.note', ...addition },
  evidence: { permission: 'moderation.note', ...addition },
  acknowledge: { permission: 'moderation.note', needs: ['id'], takes: [] },
  revoke: { permission: 'moderation.revoke', needs: ['id', 'reason'], takes: [] },
  redact: { permission: 'moderation.redact', needs: ['id', 'reason'], takes: [] },
} as const satisfies Record<string, ActionRule>

export type Action = keyof typeof actions

/** Other words for an action. `temp_ban` and `perm_ban` say besides whether the ban has an end. */
const synonyms = { warning: 'warn', temp_ban: 'ban', perm_ban: 'ban', pardon: 'unban' } as const

export type ActionWord = Action | keyof typeof synonyms

export const actionWords = [...Object.keys(actions), ...Object.keys(synonyms)] as ActionWord[]

const isSynonym = (word: ActionWord): word is keyof typeof synonyms => Object.hasOwn(synonyms, word)

/** The action that a word means. */
export const actionMeant = (word: ActionWord): Action => (isSynonym(word) ? synonyms[word] : word)

/** The permission that an action needs at least; null for what is no action, which the check of the fields tells. */
export const permissionFor = (word: unknown): Permission | null =>
  actionWords.includes(word as ActionWord) ? actions[actionMeant(word as ActionWord)].permission : null

/** What an action uses, its needs included. */
export const fieldsOf = (action: Action): ReadonlySet<ActionField> =>
  new Set([...actions[action].needs, ...actions[action].takes])

/** Every permission that an action may need at least. */
export const permissionsOfActions: readonly Permission[] = [
  ...new Set(Object.values(actions).map(({ permission }) => permission)),
]
