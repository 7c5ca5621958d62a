import type { Endpoint } from '@reeve/core'
import { endpointWords } from '../controls/endpoint-words.ts'
import { dayWords } from './month.ts'
import type { Grouping, Sum } from './usage-data.ts'

/** The names of what calls can be summed by. */
export const groupings: Readonly<Record<Grouping, { readonly tab: string; readonly column: string }>> = {
  day: { tab: 'By day', column: 'Day' },
  endpoint: { tab: 'By endpoint', column: 'Endpoint' },
  actor: { tab: 'By key', column: 'Key or person' },
}

const isEndpoint = (group: string): group is Endpoint => Object.hasOwn(endpointWords, group)

/** What a sum is of, in words. */
export function groupWords(by: Grouping, { group, name }: Pick<Sum, 'group' | 'name'>): string {
  if (by === 'day') return dayWords(group)
  if (by === 'actor') return name ?? 'Somebody who is gone'
  if (isEndpoint(group)) return endpointWords[group].title
  return group === 'portal' ? 'These pages' : group
}

/** Who an actor is. */
export const kindWords = ({ kind }: Pick<Sum, 'kind'>): string | null =>
  kind === null ? null : kind === 'api_key' ? 'API key' : 'Person'
