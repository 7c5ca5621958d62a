import { Button, Group, Text } from '@mantine/core'
import { IconArchive, IconArchiveOff } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useUnfinishedJob } from '../../../api/jobs.ts'
import { useHasPermission, useWorkspace } from '../../../api/me.ts'
import { Card } from '../../../components/card.tsx'
import { openConfirmDialog } from '../../../components/confirm-dialog.tsx'
import { WriteGuard } from '../../../components/endpoint-state.tsx'
import { FormattedTime } from '../../../components/formatted-time.tsx'
import { notifySuccess } from '../../../components/toast.tsx'
import { useOpenFromUrl } from '../../../components/use-open-from-url.ts'
import { ContentTable } from './content-counts.tsx'
import { explainWait } from './job-labels.ts'
import { watchJob } from './watch-job.ts'
import classes from './workspace.module.css'
import {
  runWorkspaceAction,
  startWorkspaceJob,
  useRefreshWorkspace,
  workspaceQuery,
} from './workspace-data.ts'

/** Archives an active workspace or restores an archived one. */
export function StateCard() {
  const { isArchived } = useWorkspace()
  const canChange = useHasPermission(isArchived ? 'workspace.restore' : 'workspace.archive')
  if (!canChange) return null
  return isArchived ? <RestoreCard /> : <ArchiveCard />
}

function ArchiveCard() {
  const { id, groupName } = useWorkspace()
  const canRestore = useHasPermission('workspace.restore')
  const busyReason = explainWait(useUnfinishedJob())
  const client = useQueryClient()
  const refresh = useRefreshWorkspace(id)
  const restore = async () => {
    await runWorkspaceAction({ action: 'restore', id })
    await refresh()
  }
  const archive = () =>
    openConfirmDialog({
      title: `Archive ${groupName}?`,
      confirmLabel: 'Archive workspace',
      isDestructive: true,
      children: (
        <>
          <ContentTable workspaceId={id} />
          <ul className={classes.list}>
            <li>All of this is saved in an archive with a checksum, listed below.</li>
            <li>
              The workspace becomes read-only for members and API keys: no new bans, notes or events. You can
              still remove members, revoke keys and withdraw invitations.
            </li>
            <li>Everything stays readable, and game servers can still check bans.</li>
            <li>You can restore it at any time.</li>
          </ul>
        </>
      ),
      run: async () => {
        const job = await startWorkspaceJob({ action: 'archive', id })
        watchJob(client, job, () =>
          notifySuccess(
            `Archived ${groupName}.`,
            canRestore ? { label: 'Restore', run: restore } : undefined,
          ),
        )
        await refresh()
      },
    })
  useOpenFromUrl('workspaces', { archive: busyReason === null ? archive : null })
  return (
    <Card title="Archive this workspace">
      <Text size="sm" c="dimmed">
        Creates an archive and makes the workspace read-only until you restore it. Everything stays readable,
        and ban checks keep working.
      </Text>
      <Group mt="md">
        <WriteGuard endpoint="workspaces" busyReason={busyReason}>
          <Button
            variant="light"
            color="red"
            leftSection={<IconArchive size={16} aria-hidden />}
            onClick={archive}
          >
            Archive…
          </Button>
        </WriteGuard>
      </Group>
    </Card>
  )
}

function RestoreCard() {
  const { id, groupName, deleteAt } = useWorkspace()
  const { data } = useQuery(workspaceQuery(id))
  const job = useUnfinishedJob()
  // Restoring ends neither a copy nor a download.
  const jobReason = job?.kind === 'archive' || job?.kind === 'roll_back' ? explainWait(job) : null
  const busyReason = deleteAt === null ? jobReason : 'This workspace will be deleted. Undo that first.'
  const refresh = useRefreshWorkspace(id)
  const restore = () =>
    openConfirmDialog({
      title: `Restore ${groupName}?`,
      confirmLabel: 'Restore workspace',
      children: (
        <>
          The workspace becomes active again as it is. Members and API keys regain their permissions.
          <ContentTable workspaceId={id} />
        </>
      ),
      run: async () => {
        await runWorkspaceAction({ action: 'restore', id })
        await refresh()
        notifySuccess(`Restored ${groupName}.`)
      },
    })
  useOpenFromUrl('workspaces', { restore: busyReason === null ? restore : null }, { worksWhenArchived: true })
  return (
    <Card title="Restore this workspace">
      <Text size="sm" c="dimmed">
        {data?.archivedAt ? (
          <>
            Archived <FormattedTime value={data.archivedAt} />.{' '}
          </>
        ) : null}
        Restore it as it is, or roll it back to one of the archives below.
      </Text>
      <Group mt="md">
        <WriteGuard endpoint="workspaces" worksWhenArchived busyReason={busyReason}>
          <Button leftSection={<IconArchiveOff size={16} aria-hidden />} onClick={restore}>
            Restore…
          </Button>
        </WriteGuard>
      </Group>
    </Card>
  )
}
