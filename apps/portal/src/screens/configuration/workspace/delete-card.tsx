import { Button, Group, Text } from '@mantine/core'
import { DELETION_UNDO_DAYS, toDeletionTime } from '@reeve/core'
import { IconArrowBackUp, IconTrash } from '@tabler/icons-react'
import { useUnfinishedJob } from '../../../api/jobs.ts'
import { useMe, useWorkspace } from '../../../api/me.ts'
import { Card } from '../../../components/card.tsx'
import { openConfirmDialog } from '../../../components/confirm-dialog.tsx'
import { WriteGuard } from '../../../components/endpoint-state.tsx'
import { FormattedTime } from '../../../components/formatted-time.tsx'
import { notifySuccess } from '../../../components/toast.tsx'
import { formatDate } from '../../../format/time.ts'
import { ContentTable } from './content-counts.tsx'
import { explainWait } from './job-labels.ts'
import classes from './workspace.module.css'
import { requestDeletion, undoDeletion, useRefreshWorkspace } from './workspace-data.ts'

/** Deletes an archived workspace, or undoes that. Only for the owner, except that operators can undo it too. */
export function DeleteCard() {
  const { isArchived, isOwner, deleteAt } = useWorkspace()
  if (deleteAt !== null) return <PendingCard deleteAt={deleteAt} />
  return isArchived && isOwner ? <RequestCard /> : null
}

function RequestCard() {
  const { id, groupName } = useWorkspace()
  const job = useUnfinishedJob()
  const busyReason = job?.kind === 'archive' || job?.kind === 'roll_back' ? explainWait(job) : null
  const refresh = useRefreshWorkspace(id)
  const confirm = () =>
    openConfirmDialog({
      title: `Delete ${groupName}?`,
      confirmLabel: 'Delete workspace',
      isDestructive: true,
      confirmText: groupName,
      children: (
        <>
          <ContentTable workspaceId={id} />
          <ul className={classes.list}>
            <li>
              On {formatDate(toDeletionTime(Date.now()))}, all of this is deleted for good, with all archives,
              API keys, invitations, the usage and the audit log.
            </li>
            <li>
              Until then it stays as it is: archived and readable, and game servers can still check bans. You
              or an operator can undo this on this page.
            </li>
            <li>
              After that, nobody can bring it back. Backups of the instance keep it for as long as they are
              kept.
            </li>
          </ul>
        </>
      ),
      run: async () => {
        await requestDeletion(id, groupName)
        await refresh()
        notifySuccess(`${groupName} will be deleted in ${DELETION_UNDO_DAYS} days.`)
      },
    })
  return (
    <Card title="Delete this workspace">
      <Text size="sm" c="dimmed">
        Deletes everything in it after {DELETION_UNDO_DAYS} days. Until then you can undo it.
      </Text>
      <Group mt="md">
        <WriteGuard endpoint={null} worksWhenArchived busyReason={busyReason}>
          <Button
            variant="light"
            color="red"
            leftSection={<IconTrash size={16} aria-hidden />}
            onClick={confirm}
          >
            Delete…
          </Button>
        </WriteGuard>
      </Group>
    </Card>
  )
}

function PendingCard({ deleteAt }: { readonly deleteAt: string }) {
  const { id, groupName, isOwner } = useWorkspace()
  const { isOperator } = useMe()
  const canUndo = isOwner || isOperator
  const refresh = useRefreshWorkspace(id)
  const undo = () =>
    openConfirmDialog({
      title: `Keep ${groupName}?`,
      confirmLabel: 'Undo the deletion',
      children: 'The workspace stays archived. You can restore it afterwards.',
      run: async () => {
        await undoDeletion(id)
        await refresh()
        notifySuccess(`${groupName} will not be deleted.`)
      },
    })
  return (
    <Card title="This workspace will be deleted">
      <Text size="sm">
        Everything in it will be deleted on <FormattedTime value={deleteAt} format="dateTime" />.{' '}
        {canUndo ? 'Until then you can undo that.' : 'Until then, the owner or an operator can undo that.'}
      </Text>
      {canUndo ? (
        <Group mt="md">
          <Button leftSection={<IconArrowBackUp size={16} aria-hidden />} onClick={undo}>
            Undo the deletion…
          </Button>
        </Group>
      ) : null}
    </Card>
  )
}
