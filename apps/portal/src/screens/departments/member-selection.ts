import type { Department } from './department-data.ts'

/** A member selected for a department. */
export interface MemberRef {
  readonly accountId: string
  readonly username: string
}

/** The members of a department and its lead. */
export interface MemberSelection {
  readonly people: readonly MemberRef[]
  readonly leadId: string | null
}

export const toMemberSelection = ({ members }: Department): MemberSelection => ({
  people: members.map(({ accountId, username }) => ({ accountId, username })),
  leadId: members.find(({ isLead }) => isLead === 'true')?.accountId ?? null,
})

const excludeMembers = (people: readonly MemberRef[], others: readonly MemberRef[]): readonly MemberRef[] =>
  people.filter(({ accountId }) => !others.some((member) => member.accountId === accountId))

/** Whether both selections have the same members and lead. */
export const isSameSelection = (a: MemberSelection, b: MemberSelection): boolean =>
  a.leadId === b.leadId &&
  excludeMembers(a.people, b.people).length === 0 &&
  excludeMembers(b.people, a.people).length === 0

/** Three-way merge: members that either side added are in, members that either side removed are out. */
export function mergeSelections(
  base: MemberSelection,
  mine: MemberSelection,
  theirs: MemberSelection,
): MemberSelection {
  const removed = excludeMembers(base.people, mine.people)
  const added = excludeMembers(excludeMembers(mine.people, base.people), theirs.people)
  const people = [...excludeMembers(theirs.people, removed), ...added]
  const leadId = mine.leadId === base.leadId ? theirs.leadId : mine.leadId
  return { people, leadId: people.some(({ accountId }) => accountId === leadId) ? leadId : null }
}
