import { pluralize } from '../../format/number.ts'
import type { DraftImpact, PermissionImpact } from './permission-diff.ts'

/** How many people one change of a permission affects. */
export function formatAffectedPeople(
  direction: 'granted' | 'revoked',
  { people: affected }: Pick<PermissionImpact, 'people'>,
): string {
  if (direction === 'granted')
    return affected === 0 ? 'No one gains it' : `${pluralize(affected, 'person gains', 'people gain')} it`
  return affected === 0 ? 'No one loses it' : `${pluralize(affected, 'person loses', 'people lose')} it`
}

/** What a draft changes, in a sentence. */
export function formatImpact({
  gainingCount,
  losingCount,
}: Pick<DraftImpact, 'gainingCount' | 'losingCount'>): string {
  const parts = [
    gainingCount > 0 ? `${pluralize(gainingCount, 'person gains', 'people gain')} permissions` : '',
    losingCount > 0 ? `${pluralize(losingCount, 'person loses', 'people lose')} permissions` : '',
  ].filter(Boolean)
  const summary = parts.join(' and ')
  return summary ? `${summary}.` : 'No one gains or loses permissions at the moment.'
}
