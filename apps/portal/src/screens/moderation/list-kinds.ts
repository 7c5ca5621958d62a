import { parseFilters } from '../../app/filter-parsers.ts'
import type { SearchParams } from '../../app/search-params.ts'
import {
  type RecordFilters,
  type RecordListFilters,
  recordListParsers,
  splitValues,
  toRecordQuery,
} from './record-filters.ts'

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

/** The filters of a list, without those that its records do not differ in. */
export function selectFilters(
  kind: RecordListKind,
  { status, action, ...others }: RecordListFilters,
): RecordListFilters {
  const { available } = recordListKinds[kind]
  return {
    ...others,
    ...(status !== undefined && available.includes('status') && { status }),
    ...(action !== undefined && available.includes('action') && { action }),
  }
}

/** What a list requests. */
export const toListQuery = (kind: RecordListKind, filters: RecordListFilters): RecordFilters => ({
  ...toRecordQuery(filters),
  ...recordListKinds[kind].query,
})

/** What the list of a URL requests; null if the reader has to choose first which players the URL means. */
export function findListQuery(kind: RecordListKind, search: SearchParams): RecordFilters | null {
  const { view: _, ...filters } = parseFilters(recordListParsers, search)
  return splitValues(filters.player).length > 0 ? null : toListQuery(kind, selectFilters(kind, filters))
}
