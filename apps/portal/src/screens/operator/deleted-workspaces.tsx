import { Badge, Group, Text } from '@mantine/core'
import { DELETION_UNDO_DAYS } from '@reeve/core'
import { IconTrash } from '@tabler/icons-react'
import { usePages } from '../../api/pages.ts'
import { DataList } from '../../components/data-list.tsx'
import { EmptyState } from '../../components/empty-error-loading.tsx'
import { FormattedTime } from '../../components/formatted-time.tsx'
import classes from './operator.module.css'
import { type DeletedWorkspaceRow, deletedWorkspacesKey, readDeletedWorkspaces } from './operator-data.ts'

/** The workspaces that were deleted for good. */
export function DeletedWorkspaces() {
  const pages = usePages(deletedWorkspacesKey, readDeletedWorkspaces)
  return (
    <DataList
      pages={pages}
      label="Deleted workspaces"
      rows={({ deletedWorkspaces }) => deletedWorkspaces}
      rowKey={({ id }) => id}
      empty={
        <EmptyState icon={IconTrash} title="No deleted workspaces">
          A workspace is listed here {DELETION_UNDO_DAYS} days after its owner has requested its deletion.
        </EmptyState>
      }
    >
      {(workspace) => <DeletedLine workspace={workspace} />}
    </DataList>
  )
}

function DeletedLine({ workspace }: { readonly workspace: DeletedWorkspaceRow }) {
  const { id, groupName, owner, deletedAt, finishedAt } = workspace
  return (
    <div className={classes.row}>
      <div className={classes.text}>
        <Group gap={6}>
          <Text component="bdi" fw={550} size="sm">
            {groupName}
          </Text>
          {finishedAt === null ? (
            <Badge size="sm" variant="light" color="yellow">
              Being deleted
            </Badge>
          ) : null}
        </Group>
        <Text size="sm" c="dimmed">
          Owner: <bdi>{owner}</bdi> · deleted <FormattedTime value={deletedAt} format="date" /> · {id}
        </Text>
      </div>
    </div>
  )
}
