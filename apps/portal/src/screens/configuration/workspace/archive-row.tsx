import { Button, Group, Stack, Text } from '@mantine/core'
import { COPY_ARCHIVE_PERMISSIONS, DOWNLOAD_ARCHIVE_PERMISSIONS } from '@reeve/core'
import { IconCopyPlus, IconDownload, IconHistory, IconTrash } from '@tabler/icons-react'
import { useUnfinishedJob } from '../../../api/jobs.ts'
import { useWorkspace } from '../../../api/me.ts'
import { CopyTextButton } from '../../../components/copy-button.tsx'
import { WriteGuard } from '../../../components/endpoint-state.tsx'
import { FormattedTime } from '../../../components/formatted-time.tsx'
import { formatBytes } from '../../../format/number.ts'
import { formatDateTime } from '../../../format/time.ts'
import { ContentSummary } from './content-counts.tsx'
import { explainWait } from './job-labels.ts'
import { JobProgress } from './job-progress.tsx'
import { useDeleteArchive } from './use-delete-archive.tsx'
import { useDownload } from './use-download.ts'
import { useRollBack } from './use-roll-back.tsx'
import classes from './workspace.module.css'
import type { Archive, ReadyArchive } from './workspace-data.ts'

const formatArchiveName = ({ createdAt }: Archive): string => `the archive of ${formatDateTime(createdAt)}`

/** An archive that a job writes. */
export function PreparingArchiveRow({ archive }: { readonly archive: Archive }) {
  const job = useUnfinishedJob()
  return (
    <Stack gap={6}>
      <Text component="span">
        <Text component="span" fw={550}>
          <FormattedTime value={archive.createdAt} format="dateTime" />
        </Text>{' '}
        <Text component="span" size="sm" c="dimmed">
          · <bdi>{archive.groupName}</bdi> · being prepared
        </Text>
      </Text>
      {job?.newArchiveId === archive.id ? (
        <JobProgress job={job} label={`Preparing ${formatArchiveName(archive)}`} />
      ) : null}
    </Stack>
  )
}

/** A complete archive with its actions. @param copy opens the dialog that copies it */
export function ArchiveRow({ archive, copy }: { readonly archive: ReadyArchive; readonly copy: () => void }) {
  const { groupName, createdAt, sizeBytes, sha256, counts } = archive
  const { isArchived, isOwner, permissions } = useWorkspace()
  const busyReason = explainWait(useUnfinishedJob())
  const download = useDownload(archive)
  const rollBack = useRollBack()
  const deleteAfterConfirmation = useDeleteArchive()
  const archiveName = formatArchiveName(archive)
  return (
    <Stack gap={6}>
      <Text component="span">
        <Text component="span" fw={550}>
          <FormattedTime value={createdAt} format="dateTime" />
        </Text>{' '}
        <Text component="span" size="sm" c="dimmed">
          · <bdi>{groupName}</bdi> · {formatBytes(sizeBytes)}
        </Text>
      </Text>
      <ContentSummary counts={counts} />
      <span className={classes.checksum}>
        SHA-256 <code title={sha256}>{sha256}</code>
        <CopyTextButton value={sha256} label={`SHA-256 of ${archiveName}`} />
      </span>
      <Group gap="xs">
        {DOWNLOAD_ARCHIVE_PERMISSIONS.every((permission) => permissions.has(permission)) ? (
          <WriteGuard endpoint={null} worksWhenArchived busyReason={download.isPrepared ? null : busyReason}>
            <Button
              variant="default"
              size="sm"
              leftSection={<IconDownload size={16} aria-hidden />}
              loading={download.isBusy}
              onClick={() => void download.start()}
              aria-label={`${download.isPrepared ? 'Save' : 'Download'} ${archiveName}`}
            >
              {download.isPrepared ? 'Save' : 'Download'}
            </Button>
          </WriteGuard>
        ) : null}
        {COPY_ARCHIVE_PERMISSIONS.every((permission) => permissions.has(permission)) ? (
          <WriteGuard endpoint="workspaces" worksWhenArchived busyReason={busyReason}>
            <Button
              variant="default"
              size="sm"
              leftSection={<IconCopyPlus size={16} aria-hidden />}
              onClick={copy}
              aria-label={`New workspace from ${archiveName}`}
            >
              New workspace…
            </Button>
          </WriteGuard>
        ) : null}
        {isArchived && isOwner ? (
          <WriteGuard endpoint="workspaces" worksWhenArchived busyReason={busyReason}>
            <Button
              variant="light"
              color="red"
              size="sm"
              leftSection={<IconHistory size={16} aria-hidden />}
              onClick={() => rollBack(archive)}
              aria-label={`Roll back to ${archiveName}`}
            >
              Roll back…
            </Button>
          </WriteGuard>
        ) : null}
        {permissions.has('workspace.archive') ? (
          <WriteGuard endpoint={null} worksWhenArchived busyReason={busyReason}>
            <Button
              variant="subtle"
              color="red"
              size="sm"
              leftSection={<IconTrash size={16} aria-hidden />}
              onClick={() => deleteAfterConfirmation(archive)}
              aria-label={`Delete ${archiveName}`}
            >
              Delete…
            </Button>
          </WriteGuard>
        ) : null}
      </Group>
      {download.job ? <JobProgress job={download.job} label={`Preparing ${archiveName}`} /> : null}
    </Stack>
  )
}
