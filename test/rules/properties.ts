import { agreeingViews } from './agreeing-views.ts'
import { batchReversals } from './batch-reversals.ts'
import { ladderHistories } from './ladder-histories.ts'
import { limitedMembers } from './limited-members.ts'
import { ownDecisions } from './own-decisions.ts'
import type { Property } from './property.ts'

/** The properties of the moderation rules, with the number of runs of short.test.ts. */
export const properties: readonly { readonly property: Property; readonly shortRuns: number }[] = [
  { property: ladderHistories, shortRuns: 6 },
  { property: batchReversals, shortRuns: 12 },
  { property: ownDecisions, shortRuns: 20 },
  { property: limitedMembers, shortRuns: 6 },
  { property: agreeingViews, shortRuns: 10 },
]
