import type { SelectedCase } from '../../app/batch-targets.ts'

/** The field with the targets of an action: players or cases. */
export type TargetField = 'userIds' | 'recordIds'

/** What both fields contain, as it was typed or pasted. */
export type TargetTexts = Readonly<Record<TargetField, string>>

/** Ids that were pasted: on lines, or separated by spaces, commas or semicolons. */
export const splitIds = (text: string): readonly string[] => [
  ...new Set(text.split(/[\s,;]+/).filter((part) => part !== '')),
]

/**
 * Finds the targets of the other kind: the players of the selected cases, or the selected cases of the players. What was typed into the
 * other field before stays, unless its counterpart was removed.
 * @param selected the cases whose players are known
 * @param to the field to fill
 */
export function convertTargets(
  selected: readonly SelectedCase[],
  texts: TargetTexts,
  to: TargetField,
): string {
  const pairs = selected.map(({ recordId, userId }) =>
    to === 'userIds' ? { from: recordId, to: userId } : { from: userId, to: recordId },
  )
  const entered = new Set(splitIds(to === 'userIds' ? texts.recordIds : texts.userIds))
  const isRemoved = (id: string): boolean => {
    const counterparts = pairs.filter((pair) => pair.to === id)
    return counterparts.length > 0 && !counterparts.some(({ from }) => entered.has(from))
  }
  const kept = splitIds(texts[to]).filter((id) => !isRemoved(id))
  const covered = new Set(pairs.filter((pair) => kept.includes(pair.to)).map(({ from }) => from))
  const added = pairs.filter(({ from }) => entered.has(from) && !covered.has(from)).map((pair) => pair.to)
  return [...new Set([...kept, ...added])].join('\n')
}

/** How many IDs of the other field the action does not use, because nothing says which targets they mean. */
export function countUnused(
  selected: readonly SelectedCase[],
  texts: TargetTexts,
  used: TargetField,
): number {
  const [field, key] =
    used === 'userIds' ? (['recordIds', 'recordId'] as const) : (['userIds', 'userId'] as const)
  const known = new Set(selected.map((one) => one[key]))
  return splitIds(texts[field]).filter((id) => !known.has(id)).length
}
