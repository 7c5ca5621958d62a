import type { RecordFilters } from './queries.ts'

export type RecordListKind = 'bans' | 'mutes' | 'history' | 'records'

interface RecordListDefinition {
  readonly title: string
  /** The path of its screen, below `/moderation`. */
  readonly path: string
  readonly query: RecordFilters
  /** The filters that differ between its records. */
  readonly available: readonly ('action' | 'status')[]
}

/** The lists of records, each on a screen of its own. */
export const recordListKinds: Readonly<Record<RecordListKind, RecordListDefinition>> = {
  bans: { title: 'Active bans', path: '/bans', query: { banList: 'true' }, available: [] },
  mutes: {
    title: 'Active mutes',
    path: '/mutes',
    query: { action: 'mute', status: 'active' },
    available: [],
  },
  history: { title: 'Ban history', path: '/history', query: { banHistory: 'true' }, available: ['status'] },
  records: { title: 'All cases', path: '/records', query: {}, available: ['action', 'status'] },
}
