import { Badge, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Dialog } from '../../components/dialog.tsx'
import { EmptyState, ErrorState, LoadingRows } from '../../components/empty-error-loading.tsx'
import classes from './operator.module.css'
import { type AccountRow, accountQuery } from './operator-data.ts'

interface Props {
  /** Null while the dialog is closed. */
  readonly account: AccountRow | null
  readonly close: () => void
}

/** The workspaces of which an account is a member. */
export const AccountWorkspaces = ({ account, close }: Props) => (
  <Dialog
    opened={account !== null}
    onClose={close}
    title={account ? `Workspaces of ${account.username}` : ''}
  >
    {account ? <Memberships id={account.id} /> : null}
  </Dialog>
)

function Memberships({ id }: { readonly id: string }) {
  const { data, error, refetch } = useQuery(accountQuery(id))
  if (!data) {
    return error ? (
      <ErrorState error={error} retry={() => void refetch()} />
    ) : (
      <LoadingRows rows={2} height={32} />
    )
  }
  if (data.workspaces.length === 0) {
    return (
      <EmptyState title="No workspaces">
        This user can create a workspace or accept an invitation to one.
      </EmptyState>
    )
  }
  return (
    <ul className={classes.list}>
      {data.workspaces.map(({ id: workspaceId, groupName, isOwner }) => (
        <li key={workspaceId}>
          <Group gap={6} component="span">
            <Text component="bdi" size="sm">
              {groupName}
            </Text>
            {isOwner === 'true' ? (
              <Badge size="sm" variant="light">
                Owner
              </Badge>
            ) : null}
          </Group>
        </li>
      ))}
    </ul>
  )
}
