import type { InboxKind } from '@reeve/core'
import { appealSource } from '../appeals/inbox-source.ts'
import { approvalSource } from '../approvals/inbox-source.ts'
import { assignedSource } from './assigned.ts'
import { mentionSource } from './mentions.ts'
import type { InboxSource } from './source.ts'

/** Everything that an inbox contains, in the order in which the portal shows it. */
export const inboxSources = {
  assigned: assignedSource,
  approvals: approvalSource,
  appeals: appealSource,
  mentions: mentionSource,
} as const satisfies Readonly<Record<InboxKind, InboxSource>>

export type InboxSourceName = keyof typeof inboxSources

export const inboxSourceNames = Object.keys(inboxSources) as readonly InboxSourceName[]
