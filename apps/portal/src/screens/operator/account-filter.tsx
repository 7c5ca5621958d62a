import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { SEARCH_DEBOUNCE_MS } from '../../components/use-filters.ts'
import { accountQuery, accountsKey, readAccounts } from './operator-data.ts'

interface Props {
  readonly label: string
  readonly accountId: string | undefined
  readonly onSelect: (accountId: string | undefined) => void
}

/** Chooses an account by its username. */
export function AccountFilter({ label, accountId, onSelect }: Props) {
  const [searchText, setSearchText] = useState('')
  // The choices are read when the list is opened for the first time.
  const [wasOpened, setWasOpened] = useState(false)
  const selected = useQuery({
    ...accountQuery(accountId ?? ''),
    enabled: accountId !== undefined,
    retry: false,
  })
  // A deleted account, or the command line, has no username.
  const selectedName = selected.data?.account.username ?? accountId ?? ''
  const [q] = useDebouncedValue(searchText === selectedName ? '' : searchText.trim(), SEARCH_DEBOUNCE_MS)
  const { data } = useQuery({
    queryKey: [...accountsKey, 'search', q],
    enabled: wasOpened,
    queryFn: async () => (await readAccounts(q === '' ? {} : { q }, {})).accounts,
    placeholderData: (previous) => previous,
  })
  const options = (data ?? []).map(({ id, username }) => ({ value: id, label: username }))
  const isListed = options.some(({ value }) => value === accountId)
  return (
    <Select
      label={label}
      placeholder="Anyone"
      searchable
      clearable
      clearButtonProps={{ 'aria-label': `Clear ${label.toLowerCase()}` }}
      nothingFoundMessage="No matching account"
      data={[
        ...(accountId === undefined || isListed ? [] : [{ value: accountId, label: selectedName }]),
        ...options,
      ]}
      value={accountId ?? null}
      onFocus={() => setWasOpened(true)}
      onSearchChange={setSearchText}
      onChange={(value) => onSelect(value ?? undefined)}
    />
  )
}
