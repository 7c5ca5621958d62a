import { Button, Group, SegmentedControl, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconPlus, IconSearch, IconUserCog } from '@tabler/icons-react'
import { useState } from 'react'
import { usePages } from '../../api/pages.ts'
import { anyText, oneOf } from '../../app/filter-parsers.ts'
import { DataList } from '../../components/data-list.tsx'
import { EmptyState } from '../../components/empty-error-loading.tsx'
import { loadOnOpen } from '../../components/load-on-open.tsx'
import { Screen } from '../../components/screen.tsx'
import { SEARCH_DEBOUNCE_MS, useFilters } from '../../components/use-filters.ts'
import { AccountLine } from './account-line.tsx'
import { AccountWorkspaces } from './account-workspaces.tsx'
import { type AccountRow, accountsKey, readAccounts } from './operator-data.ts'

const NewAccountDialog = loadOnOpen(
  async () => (await import('./new-account-dialog.tsx')).NewAccountDialog,
  ({ isOpen }) => isOpen,
  ({ close }) => close(),
)
const PasswordLinkDialog = loadOnOpen(
  async () => (await import('./password-link-dialog.tsx')).PasswordLinkDialog,
  ({ account }) => account !== null,
  ({ close }) => close(),
)

const filterParsers = { q: anyText, only: oneOf('operators', 'disabled') }

/** The open dialog and its account. */
type OpenDialog =
  | { readonly dialog: 'password-link' | 'workspaces'; readonly account: AccountRow }
  | 'new'
  | null

/** All accounts of the instance. */
export function Accounts() {
  const [filters, setFilters] = useFilters(filterParsers)
  const [open, setOpen] = useState<OpenDialog>(null)
  const search = useDebouncedCallback((q: string) => setFilters({ q: q.trim() }), SEARCH_DEBOUNCE_MS)
  const pages = usePages([...accountsKey, filters], (cursor) => readAccounts(filters, cursor))
  const close = () => setOpen(null)
  const accountDialog = open === null || open === 'new' ? null : open
  return (
    <Screen
      title="Accounts"
      description="All accounts of this instance. Permissions within a workspace depend on its roles."
      actions={
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setOpen('new')}>
          New account
        </Button>
      }
    >
      <Group mb="md" gap="sm">
        <TextInput
          type="search"
          aria-label="Find an account by username"
          placeholder="Find an account"
          leftSection={<IconSearch size={16} aria-hidden />}
          defaultValue={filters.q}
          onChange={(event) => search(event.currentTarget.value)}
          flex="1 1 14rem"
        />
        <SegmentedControl
          aria-label="Account filter"
          value={filters.only ?? ''}
          onChange={(only) => setFilters({ only })}
          data={[
            { value: '', label: 'All' },
            { value: 'operators', label: 'Operators' },
            { value: 'disabled', label: 'Disabled' },
          ]}
        />
      </Group>
      <DataList
        pages={pages}
        label="Accounts"
        rows={({ accounts }) => accounts}
        rowKey={({ id }) => id}
        empty={
          <EmptyState icon={IconUserCog} title="No matching accounts">
            Try another part of the username, or show all accounts.
          </EmptyState>
        }
      >
        {(account) => <AccountLine account={account} open={(dialog) => setOpen({ dialog, account })} />}
      </DataList>
      <NewAccountDialog isOpen={open === 'new'} close={close} />
      <PasswordLinkDialog
        account={accountDialog?.dialog === 'password-link' ? accountDialog.account : null}
        close={close}
      />
      <AccountWorkspaces
        account={accountDialog?.dialog === 'workspaces' ? accountDialog.account : null}
        close={close}
      />
    </Screen>
  )
}
