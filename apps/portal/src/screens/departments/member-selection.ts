import type { Department } from './department-data.ts'

/** Somebody who is chosen for a department. */
export interface MemberRef {
  readonly accountId: string
  readonly username: string
}

/** Who is in a department, and which of them leads it. */
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

/** Whether two are the same people under the same lead. */
export const isSameSelection = (a: MemberSelection, b: MemberSelection): boolean =>
  a.leadId === b.leadId &&
  excludeMembers(a.people, b.people).length === 0 &&
  excludeMembers(b.people, a.people).length === 0

/** What two made of the same staff, put together: whom either added is in, whom either took out is not. */
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
