import { Select } from '@mantine/core'
import { useState } from 'react'
import { useWorkspace } from '../../api/me.ts'
import { useMemberSearch } from '../../components/use-member-search.ts'
import type { Person } from './staff.ts'

interface Props {
  /** Those who are in already. */
  readonly chosen: readonly Person[]
  readonly add: (person: Person) => void
}

/** Finds members of the workspace by name, one after another. */
export function AddPerson({ chosen, add }: Props) {
  const { id: workspaceId } = useWorkspace()
  const [typed, setTyped] = useState('')
  const found = useMemberSearch(workspaceId, typed)
  const others = found.filter(({ accountId }) => !chosen.some((one) => one.accountId === accountId))
  return (
    <Select
      label="Add a member of the workspace"
      placeholder="Find by name"
      searchable
      searchValue={typed}
      onSearchChange={setTyped}
      filter={({ options }) => options}
      nothingFoundMessage={typed === '' ? 'Type a name to find more' : 'Nobody else here is called that'}
      maxDropdownHeight={220}
      // It would cover those who are in already, before anybody asked for it.
      openOnFocus={false}
      data-autofocus
      data={others.map(({ accountId, username }) => ({ value: accountId, label: username }))}
      value={null}
      onChange={(accountId) => {
        const person = others.find((one) => one.accountId === accountId)
        if (!person) return
        setTyped('')
        add({ accountId: person.accountId, username: person.username })
      }}
    />
  )
}
