import type { Endpoint } from '@reeve/core'
import { endpointLabels } from '../controls/endpoint-labels.ts'
import { formatDay } from './month.ts'
import type { Grouping, UsageRow } from './usage-data.ts'

/** The labels of the groupings. */
export const groupingLabels: Readonly<Record<Grouping, { readonly tab: string; readonly column: string }>> = {
  day: { tab: 'By day', column: 'Day' },
  endpoint: { tab: 'By endpoint', column: 'Endpoint' },
  actor: { tab: 'By key', column: 'Key or user' },
}

const isEndpoint = (group: string): group is Endpoint => Object.hasOwn(endpointLabels, group)

/** The label of a row. */
export function formatGroup(by: Grouping, { group, name }: Pick<UsageRow, 'group' | 'name'>): string {
  if (by === 'day') return formatDay(group)
  if (by === 'actor') return name ?? 'Deleted user or key'
  if (isEndpoint(group)) return endpointLabels[group].title
  return group === 'portal' ? 'This portal' : group
}

/** The label for the kind of an actor; null for other groupings. */
export const formatActorKind = ({ kind }: Pick<UsageRow, 'kind'>): string | null =>
  kind === null ? null : kind === 'api_key' ? 'API key' : 'User'
