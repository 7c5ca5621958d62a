import { pluralize } from '../../format/number.ts'
import type { DraftImpact, PermissionImpact } from './permission-diff.ts'

const formatPeople = (value: number): string => pluralize(value, 'person', 'people')

/** Whom one change of a permission reaches. */
export function formatAffectedPeople(
  direction: 'granted' | 'revoked',
  { people: affected }: Pick<PermissionImpact, 'people'>,
): string {
  if (direction === 'granted')
    return affected === 0 ? 'Nobody new gains it' : `${formatPeople(affected)} will have it`
  return affected === 0 ? 'Nobody loses it' : `${formatPeople(affected)} will lose it`
}

/** What a draft comes to, in a sentence. */
export function formatImpact({
  gainingCount,
  losingCount,
}: Pick<DraftImpact, 'gainingCount' | 'losingCount'>): string {
  const parts = [
    gainingCount > 0 ? `gives something new to ${formatPeople(gainingCount)}` : '',
    losingCount > 0 ? `takes something from ${formatPeople(losingCount)}` : '',
  ].filter(Boolean)
  const summary = parts.join(' and ')
  return summary ? `It ${summary}.` : 'For now nobody gains or loses anything by it.'
}
