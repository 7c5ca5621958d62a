import { Group, NativeSelect, TextInput } from '@mantine/core'
import { IconSearch, IconUsers } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useHasPermission, useWorkspace } from '../../api/me.ts'
import { DataList } from '../../components/data-list.tsx'
import { EmptyState } from '../../components/empty-error-loading.tsx'
import { loadOnOpen } from '../../components/load-on-open.tsx'
import { useFilters } from '../../components/use-filters.ts'
import { useSearchText } from '../../components/use-search-text.ts'
import { rolesQuery } from '../roles/queries.ts'
import { memberFilterParsers, membersQuery } from './member-filters.ts'
import { MemberRow } from './member-row.tsx'
import { type Member, memberPagesQuery } from './people-data.ts'

const RolesDialog = loadOnOpen(
  async () => (await import('./roles-dialog.tsx')).RolesDialog,
  ({ member }) => member !== null,
  ({ close }) => close(),
)

const PlayersDialog = loadOnOpen(
  async () => (await import('./players-dialog.tsx')).PlayersDialog,
  ({ member }) => member !== null,
  ({ close }) => close(),
)

const MAX_SEARCH_LENGTH = 50

/** The members by name, with filters for name and role. */
export function MemberList() {
  const { id: workspaceId, isOwner } = useWorkspace()
  const canViewRoles = useHasPermission('roles.view')
  const [filters, setFilters] = useFilters(memberFilterParsers)
  const { q, role, factor } = filters
  const search = useSearchText(q ?? '', (text) => setFilters({ q: text }))
  const roles = useQuery({ ...rolesQuery(workspaceId), enabled: canViewRoles })
  const [editedMember, setEditedMember] = useState<Member | null>(null)
  const [linkedMember, setLinkedMember] = useState<Member | null>(null)
  const pages = useInfiniteQuery(memberPagesQuery(membersQuery(workspaceId, filters)))
  return (
    <>
      <Group gap="sm" mb="md" align="flex-end">
        <TextInput
          type="search"
          aria-label="Find a member"
          placeholder="Find a member by name"
          flex="3 1 14rem"
          maxLength={MAX_SEARCH_LENGTH}
          leftSection={<IconSearch size={16} aria-hidden />}
          value={search.text}
          onChange={(event) => search.change(event.currentTarget.value)}
        />
        {canViewRoles && !roles.isError ? (
          <NativeSelect
            aria-label="Filter by role"
            flex="1 0 min(12rem, 100%)"
            value={role ?? ''}
            onChange={(event) => setFilters({ role: event.currentTarget.value || undefined })}
            data={[
              { value: '', label: 'All roles' },
              ...(roles.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
            ]}
          />
        ) : null}
        {isOwner ? (
          <NativeSelect
            aria-label="Filter by second factor"
            flex="1 0 min(12rem, 100%)"
            value={factor ?? ''}
            onChange={(event) =>
              setFilters({ factor: event.currentTarget.value === 'missing' ? 'missing' : undefined })
            }
            data={[
              { value: '', label: 'All members' },
              { value: 'missing', label: 'No second factor' },
            ]}
          />
        ) : null}
      </Group>
      <DataList
        pages={pages}
        label="Members"
        rows={({ members }) => members}
        rowKey={({ accountId }) => accountId}
        empty={
          <EmptyState icon={IconUsers} title="No matching members">
            {role || factor
              ? 'Try other filters, or another part of the name.'
              : 'Try another part of the name.'}
          </EmptyState>
        }
      >
        {(member) => (
          <MemberRow
            member={member}
            changeRoles={() => setEditedMember(member)}
            linkPlayers={() => setLinkedMember(member)}
          />
        )}
      </DataList>
      <RolesDialog member={editedMember} close={() => setEditedMember(null)} />
      <PlayersDialog member={linkedMember} close={() => setLinkedMember(null)} />
    </>
  )
}
