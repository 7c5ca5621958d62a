import type { Department } from './department-data.ts'

/** Somebody who is chosen for a department. */
export interface Person {
  readonly accountId: string
  readonly username: string
}

/** Who is in a department, and which of them leads it. */
export interface Staff {
  readonly people: readonly Person[]
  readonly leadId: string | null
}

export const staffOf = ({ members }: Department): Staff => ({
  people: members.map(({ accountId, username }) => ({ accountId, username })),
  leadId: members.find(({ isLead }) => isLead === 'true')?.accountId ?? null,
})

const without = (people: readonly Person[], others: readonly Person[]): readonly Person[] =>
  people.filter(({ accountId }) => !others.some((one) => one.accountId === accountId))

/** Whether two are the same people under the same lead. */
export const isSame = (one: Staff, other: Staff): boolean =>
  one.leadId === other.leadId &&
  without(one.people, other.people).length === 0 &&
  without(other.people, one.people).length === 0

/** What two made of the same staff, put together: whom either added is in, whom either took out is not. */
export function together(before: Staff, mine: Staff, theirs: Staff): Staff {
  const gone = without(before.people, mine.people)
  const added = without(without(mine.people, before.people), theirs.people)
  const people = [...without(theirs.people, gone), ...added]
  const leadId = mine.leadId === before.leadId ? theirs.leadId : mine.leadId
  return { people, leadId: people.some(({ accountId }) => accountId === leadId) ? leadId : null }
}
