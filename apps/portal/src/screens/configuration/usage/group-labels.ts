import type { Endpoint } from '@reeve/core'
import { endpointLabels } from '../controls/endpoint-labels.ts'
import { formatDay } from './month.ts'
import type { Grouping, UsageRow } from './usage-data.ts'

/** The names of what calls can be summed by. */
export const groupingLabels: Readonly<Record<Grouping, { readonly tab: string; readonly column: string }>> = {
  day: { tab: 'By day', column: 'Day' },
  endpoint: { tab: 'By endpoint', column: 'Endpoint' },
  actor: { tab: 'By key', column: 'Key or person' },
}

const isEndpoint = (group: string): group is Endpoint => Object.hasOwn(endpointLabels, group)

/** What a sum is of, in words. */
export function formatGroup(by: Grouping, { group, name }: Pick<UsageRow, 'group' | 'name'>): string {
  if (by === 'day') return formatDay(group)
  if (by === 'actor') return name ?? 'Somebody who is gone'
  if (isEndpoint(group)) return endpointLabels[group].title
  return group === 'portal' ? 'These pages' : group
}

/** Who an actor is. */
export const formatActorKind = ({ kind }: Pick<UsageRow, 'kind'>): string | null =>
  kind === null ? null : kind === 'api_key' ? 'API key' : 'Person'
