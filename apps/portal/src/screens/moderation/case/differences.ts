import { dateTime } from '../../../format/time.ts'
import type { Entry } from '../data.ts'
import { sayLength } from '../when.ts'
import { isRestraint, labelOf } from '../words.ts'

interface Part {
  readonly name: string
  /** What it is called where it changed: `Reason changed`. */
  readonly read: (entry: Entry) => string
}

const time = (at: string | null, never: string): string => (at === null ? never : dateTime(at))

/** What can differ between two versions of a record, as it is shown. */
const parts: readonly Part[] = [
  { name: 'Reason', read: ({ reason }) => reason ?? '' },
  { name: 'Severity', read: ({ severity }) => labelOf(severity) },
  { name: 'Status', read: ({ status }) => labelOf(status) },
  {
    name: 'How long',
    read: ({ action, durationSeconds }) =>
      isRestraint(action)
        ? durationSeconds === null
          ? 'Without end'
          : sayLength(Number(durationSeconds))
        : '',
  },
  {
    name: 'Ends',
    read: ({ action, expiresAt }) => (isRestraint(action) ? time(expiresAt, 'Never by itself') : ''),
  },
  { name: 'Name of the player', read: ({ userUsername }) => userUsername ?? '' },
  { name: 'Evidence', read: ({ evidence }) => evidence.join('\n') },
  {
    name: 'Comments',
    read: ({ comments }) =>
      comments.map(({ authorUsername, text }) => `${authorUsername}: ${text}`).join('\n'),
  },
  { name: 'Seen by the player', read: ({ acknowledgedAt }) => time(acknowledgedAt, 'Not yet') },
  { name: 'Why it was lifted or taken back', read: ({ revokeReason }) => revokeReason ?? '' },
  { name: 'Redacted', read: ({ redactedAt }) => time(redactedAt, '') },
]

export interface Difference {
  readonly name: string
  readonly left: string
  readonly right: string
  readonly isDifferent: boolean
}

/** Two versions of a record, part by part; parts that both lack are left out. */
export const compare = (left: Entry, right: Entry): Difference[] =>
  parts
    .map(({ name, read }) => ({ name, left: read(left), right: read(right) }))
    .filter((part) => part.left !== '' || part.right !== '')
    .map((part) => ({ ...part, isDifferent: part.left !== part.right }))

/** What a change was about, in a few words: `reason, severity`. */
export function summary(before: Entry, after: Entry): string {
  const names = compare(before, after)
    .filter(({ isDifferent }) => isDifferent)
    .map(({ name }) => name.toLowerCase())
  return names.length === 0 ? 'nothing that is shown' : names.join(', ')
}
