import type { Permission } from './permission-catalog.ts'

/** The permission for each kind of things that wait for a person, in the order in which an inbox shows them. */
export const INBOX_PERMISSIONS = {
  assigned: 'moderation.view',
  approvals: 'moderation.approve',
  appeals: 'appeals.decide',
  mentions: 'moderation.view',
} as const satisfies Readonly<Record<string, Permission>>

export type InboxKind = keyof typeof INBOX_PERMISSIONS

export const inboxKinds = Object.keys(INBOX_PERMISSIONS) as readonly InboxKind[]

/** A member with one of these has an inbox. */
export const inboxPermissions: readonly Permission[] = [...new Set(Object.values(INBOX_PERMISSIONS))]
