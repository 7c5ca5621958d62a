import { Select } from '@mantine/core'
import { useState } from 'react'
import { useWorkspace } from '../../api/me.ts'
import { useMemberSearch } from '../../components/use-member-search.ts'
import type { MemberRef } from './member-selection.ts'

interface Props {
  /** Members that are already selected. */
  readonly selected: readonly MemberRef[]
  readonly add: (member: MemberRef) => void
}

/** Finds members of the workspace by name and adds them one at a time. */
export function AddMember({ selected, add }: Props) {
  const { id: workspaceId } = useWorkspace()
  const [searchText, setSearchText] = useState('')
  const searchResults = useMemberSearch(workspaceId, searchText)
  const candidates = searchResults.filter(
    ({ accountId }) => !selected.some((candidate) => candidate.accountId === accountId),
  )
  return (
    <Select
      label="Add a member"
      placeholder="Find by name"
      searchable
      searchValue={searchText}
      onSearchChange={setSearchText}
      filter={({ options }) => options}
      nothingFoundMessage={
        searchText === '' ? 'Type a name to find more members' : 'No other member has this name'
      }
      maxDropdownHeight={220}
      // An open list would cover the members that are already selected.
      openOnFocus={false}
      data-autofocus
      data={candidates.map(({ accountId, username }) => ({ value: accountId, label: username }))}
      value={null}
      onChange={(accountId) => {
        const member = candidates.find((candidate) => candidate.accountId === accountId)
        if (!member) return
        setSearchText('')
        add({ accountId: member.accountId, username: member.username })
      }}
    />
  )
}
