import { Button, Group, Text } from '@mantine/core'
import { IconArchive, IconArchiveOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useHasPermission, useWorkspace } from '../../../api/me.ts'
import { Card } from '../../../components/card.tsx'
import { openConfirmDialog } from '../../../components/confirm-dialog.tsx'
import { FormattedTime } from '../../../components/formatted-time.tsx'
import { notifySuccess } from '../../../components/toast.tsx'
import { ContentTable } from './content-counts.tsx'
import classes from './workspace.module.css'
import { runWorkspaceAction, useRefreshWorkspace, workspaceQuery } from './workspace-data.ts'

/** Whether the workspace is in use, and what changes that. */
export function StateCard() {
  const { isArchived } = useWorkspace()
  const canChange = useHasPermission(isArchived ? 'workspace.restore' : 'workspace.archive')
  if (!canChange) return null
  return isArchived ? <RestoreCard /> : <ArchiveCard />
}

function ArchiveCard() {
  const { id, groupName } = useWorkspace()
  const canRestore = useHasPermission('workspace.restore')
  const refresh = useRefreshWorkspace(id)
  const restore = async () => {
    await runWorkspaceAction({ action: 'restore', id })
    await refresh()
  }
  const archive = () =>
    openConfirmDialog({
      title: `Archive ${groupName}?`,
      confirmLabel: 'Archive the workspace',
      isDestructive: true,
      children: (
        <>
          <ContentTable workspaceId={id} />
          <ul className={classes.list}>
            <li>All of this is sealed into an archive, with a checksum, that stays in the list below.</li>
            <li>
              Nobody can ban, note or plan anything in it, and neither can an API key: game servers that try
              are refused. Members can still be removed, and keys and invitations ended.
            </li>
            <li>Everything can still be read, and bans in force are still answered to game servers.</li>
            <li>It can be restored at any time.</li>
          </ul>
        </>
      ),
      run: async () => {
        await runWorkspaceAction({ action: 'archive', id })
        await refresh()
        notifySuccess(
          `${groupName} is archived.`,
          canRestore ? { label: 'Restore', run: restore } : undefined,
        )
      },
    })
  return (
    <Card title="Archive this workspace">
      <Text size="sm" c="dimmed">
        Seals what it holds, and freezes it: everything stays readable, ban checks are still answered, and
        nothing can be changed until it is restored.
      </Text>
      <Group mt="md">
        <Button
          variant="light"
          color="red"
          leftSection={<IconArchive size={16} aria-hidden />}
          onClick={archive}
        >
          Archive…
        </Button>
      </Group>
    </Card>
  )
}

function RestoreCard() {
  const { id, groupName } = useWorkspace()
  const { data } = useQuery(workspaceQuery(id))
  const refresh = useRefreshWorkspace(id)
  const restore = () =>
    openConfirmDialog({
      title: `Restore ${groupName}?`,
      confirmLabel: 'Restore the workspace',
      children: (
        <>
          It is taken back into use as it is. Members and API keys can change it again, as far as they may.
          <ContentTable workspaceId={id} />
        </>
      ),
      run: async () => {
        await runWorkspaceAction({ action: 'restore', id })
        await refresh()
        notifySuccess(`${groupName} is in use again.`)
      },
    })
  return (
    <Card title="Restore this workspace">
      <Text size="sm" c="dimmed">
        {data?.archivedAt ? (
          <>
            Archived <FormattedTime value={data.archivedAt} />.{' '}
          </>
        ) : null}
        Take it back into use as it is, or roll it back to one of its archives below.
      </Text>
      <Group mt="md">
        <Button leftSection={<IconArchiveOff size={16} aria-hidden />} onClick={restore}>
          Restore…
        </Button>
      </Group>
    </Card>
  )
}
