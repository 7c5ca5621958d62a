import { Select } from '@mantine/core'
import { useState } from 'react'
import { useWorkspace } from '../../api/me.ts'
import { useMemberSearch } from '../../components/use-member-search.ts'
import type { MemberRef } from './member-selection.ts'

interface Props {
  /** Those who are in already. */
  readonly selected: readonly MemberRef[]
  readonly add: (member: MemberRef) => void
}

/** Finds members of the workspace by name, one after another. */
export function AddMember({ selected, add }: Props) {
  const { id: workspaceId } = useWorkspace()
  const [searchText, setSearchText] = useState('')
  const searchResults = useMemberSearch(workspaceId, searchText)
  const candidates = searchResults.filter(
    ({ accountId }) => !selected.some((candidate) => candidate.accountId === accountId),
  )
  return (
    <Select
      label="Add a member of the workspace"
      placeholder="Find by name"
      searchable
      searchValue={searchText}
      onSearchChange={setSearchText}
      filter={({ options }) => options}
      nothingFoundMessage={searchText === '' ? 'Type a name to find more' : 'Nobody else here is called that'}
      maxDropdownHeight={220}
      // It would cover those who are in already, before anybody asked for it.
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
