import type { InboxKind } from '@reeve/core'

/** A kind of things in the inbox, as the server lists them. */
export interface InboxSource {
  readonly label: string
  /** What an item is, before the case that it is about. */
  readonly describe: string
  /** What the inbox says if there are none. */
  readonly empty: string
  /** Whether its items are marked as read. */
  readonly isMarked?: boolean
  /** The page of an item, relative to the workspace. */
  readonly path: (item: { readonly id: string; readonly recordId: string }) => string
}

/** Every kind, in the order in which it is shown. A kind that the user may not see is left out. */
export const inboxSources: Readonly<Record<InboxKind, InboxSource>> = {
  assigned: {
    label: 'Assigned to me',
    describe: 'Assigned by',
    empty: 'No case is assigned to you.',
    path: ({ recordId }) => `/moderation/cases/${recordId}`,
  },
  approvals: {
    label: 'Approvals',
    describe: 'Requested by',
    empty: 'No ban waits for your approval.',
    path: ({ recordId }) => `/moderation/cases/${recordId}`,
  },
  appeals: {
    label: 'Appeals',
    describe: 'Appealed by',
    empty: 'No appeal waits for a decision.',
    path: ({ id }) => `/appeals/${id}`,
  },
  mentions: {
    label: 'Mentions',
    describe: 'Mentioned by',
    empty: 'Nobody has mentioned you in a comment. Staff do that with @ and your name.',
    isMarked: true,
    path: ({ recordId }) => `/moderation/cases/${recordId}`,
  },
}

export const inboxKinds = Object.keys(inboxSources) as readonly InboxKind[]
