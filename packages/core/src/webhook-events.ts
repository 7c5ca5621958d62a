import type { Permission } from './permission-catalog.ts'

interface EventDefinition {
  readonly description: string
  /** Required to subscribe to it: the creator of a webhook sees what it receives. */
  readonly permission: Permission
}

/** The events that webhooks can receive. Besides these, each receives `webhook.test` on request. */
export const webhookEvents = {
  'record.created': { description: 'A moderation record was created.', permission: 'moderation.view' },
  'record.updated': { description: 'A moderation record was changed.', permission: 'moderation.view' },
  'record.ended': {
    description: 'A moderation record was lifted, revoked or replaced, or expired.',
    permission: 'moderation.view',
  },
  'records.deleted': {
    description: 'The retention rules of the workspace deleted records.',
    permission: 'moderation.view',
  },
  'record.erased': {
    description: 'A moderation record was erased, because its player requested that.',
    permission: 'moderation.view',
  },
  'ban.created': {
    description: 'A player was banned, or a ban is in force again because its end was reverted.',
    permission: 'moderation.view',
  },
  'ban.ended': {
    description: 'A ban was lifted, revoked or replaced, or expired.',
    permission: 'moderation.view',
  },
  'appeal.submitted': { description: 'A player appealed a ban.', permission: 'appeals.view' },
  'appeal.updated': {
    description:
      'An appeal is under review, was withdrawn, has a new message or file, or closed because its ban ended.',
    permission: 'appeals.view',
  },
  'appeal.decided': { description: 'An appeal was decided.', permission: 'appeals.view' },
  'event.published': { description: 'A scheduled event was published.', permission: 'events.view' },
  'event.updated': {
    description: 'A published event was changed or unpublished.',
    permission: 'events.view',
  },
  'event.deleted': { description: 'A published event was deleted.', permission: 'events.view' },
  'department.created': { description: 'A department was created.', permission: 'departments.view' },
  'department.updated': {
    description: 'A department or its members were changed.',
    permission: 'departments.view',
  },
  'department.deleted': { description: 'A department was deleted.', permission: 'departments.view' },
  'department.restored': {
    description: 'A deleted department was restored.',
    permission: 'departments.view',
  },
  'member.joined': { description: 'An account became a member.', permission: 'members.view' },
  'member.updated': { description: 'The roles of a member were changed.', permission: 'members.view' },
  'member.removed': { description: 'A member left or was removed.', permission: 'members.view' },
  'role.created': { description: 'A role was created.', permission: 'roles.view' },
  'role.updated': { description: 'A role or its permissions were changed.', permission: 'roles.view' },
  'role.deleted': { description: 'A role was deleted. Nobody has it any more.', permission: 'roles.view' },
  'workspace.archived': { description: 'The workspace was archived.', permission: 'workspace.view' },
  'workspace.restored': { description: 'The workspace was restored.', permission: 'workspace.view' },
  'api_key.created': { description: 'An API key was created.', permission: 'api_keys.manage' },
  'api_key.revoked': { description: 'An API key was revoked.', permission: 'api_keys.manage' },
  'endpoint_control.updated': {
    description: 'An endpoint was turned on or off, or made read-only.',
    permission: 'endpoint_controls.view',
  },
} as const satisfies Record<`${string}.${string}`, EventDefinition>

export type WebhookEvent = keyof typeof webhookEvents

/** The event that tests a webhook. It needs no subscription. */
export const TEST_EVENT = 'webhook.test'

/** Every event that a webhook can subscribe to. */
export const webhookEventTypes = /* @__PURE__ */ Object.keys(webhookEvents) as readonly WebhookEvent[]

/** Whether a text is an event that a webhook can subscribe to. */
export const isWebhookEvent = (text: string): text is WebhookEvent => Object.hasOwn(webhookEvents, text)

/** The permission to see the body of an event; none for a test. */
export const getEventPermission = (type: string): Permission | null =>
  isWebhookEvent(type) ? webhookEvents[type].permission : null
