import { Badge, Button, TextInput } from '@mantine/core'
import { IconBuildingCommunity, IconPlus, IconSearch } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useMe, type Workspace } from '../../api/me.ts'
import { EmptyState } from '../../components/empty-error-loading.tsx'
import { Screen } from '../../components/screen.tsx'
import { ReceivedInvitations } from './received-invitations.tsx'
import classes from './workspaces.module.css'

/** The number of workspaces from which a search field is shown. */
const SEARCH_THRESHOLD = 8

/** The user's workspaces. */
export function Workspaces() {
  const { workspaces, workspaceCreationProblem, receivedInvitations } = useMe()
  const canCreate = workspaceCreationProblem?.kind !== 'operators-only'
  const [search, setSearch] = useState('')
  const searchTerm = search.trim().toLocaleLowerCase()
  const matches = workspaces.filter(({ groupName }) => groupName.toLocaleLowerCase().includes(searchTerm))
  const createButton = canCreate ? (
    <Button component={Link} to="/workspaces/new" leftSection={<IconPlus size={16} aria-hidden />}>
      Create a workspace
    </Button>
  ) : null
  const invitations = receivedInvitations > 0 ? <ReceivedInvitations /> : null
  if (workspaces.length === 0) {
    return (
      <Screen title="Your workspaces">
        {invitations}
        <EmptyState
          icon={IconBuildingCommunity}
          title="You are not a member of any workspace yet"
          action={createButton}
        >
          A workspace contains the staff of one game community and all their moderation data.{' '}
          {canCreate
            ? 'Create one for your community, or ask the owner of an existing one to invite you.'
            : 'Ask the owner of an existing one to invite you, or an operator of this instance to create one.'}
        </EmptyState>
      </Screen>
    )
  }
  return (
    <Screen title="Your workspaces" actions={createButton}>
      {invitations}
      {workspaces.length >= SEARCH_THRESHOLD ? (
        <TextInput
          type="search"
          mb="md"
          aria-label="Find a workspace"
          placeholder="Find a workspace"
          leftSection={<IconSearch size={16} aria-hidden />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      ) : null}
      {matches.length === 0 ? (
        <EmptyState title="No matching workspaces">Try another part of the name.</EmptyState>
      ) : (
        <ul className={classes.list} aria-label="Your workspaces">
          {matches.map((workspace) => (
            <li key={workspace.id}>
              <WorkspaceCard workspace={workspace} />
            </li>
          ))}
        </ul>
      )}
    </Screen>
  )
}

const WorkspaceCard = ({
  workspace: { id, groupName, isArchived, deleteAt, roles },
}: {
  readonly workspace: Workspace
}) => (
  <Link to="/w/$workspaceId" params={{ workspaceId: id }} className={classes.card}>
    <span className={classes.name}>
      <bdi>{groupName}</bdi>
      {isArchived ? (
        <Badge size="sm" variant="light" color="gray">
          Archived
        </Badge>
      ) : null}
      {deleteAt === null ? null : (
        <Badge size="sm" variant="light" color="red">
          To be deleted
        </Badge>
      )}
    </span>
    <span className={classes.roles}>
      {roles.length === 0 ? 'No roles' : null}
      {roles.map((role) => (
        <span key={role.id} className={classes.role}>
          <span className={classes.dot} style={{ backgroundColor: role.color ?? undefined }} />
          <bdi>{role.name}</bdi>
        </span>
      ))}
    </span>
  </Link>
)
