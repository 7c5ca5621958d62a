import type { Permission } from './permission-catalog.ts'

/** The permission for each kind of things that wait for a person. A member with one of them has an inbox. */
export const INBOX_PERMISSIONS = {
  assigned: 'moderation.view',
  approvals: 'moderation.approve',
  appeals: 'appeals.decide',
  mentions: 'moderation.view',
} as const satisfies Readonly<Record<string, Permission>>

export type InboxKind = keyof typeof INBOX_PERMISSIONS
