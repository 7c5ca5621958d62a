import { Button, Group, Stack, Text } from '@mantine/core'
import { COPY_ARCHIVE_PERMISSIONS, DOWNLOAD_ARCHIVE_PERMISSIONS } from '@reeve/core'
import { IconArchive, IconCopyPlus, IconDownload, IconHistory } from '@tabler/icons-react'
import { useState } from 'react'
import { useHasPermission, useWorkspace } from '../../../api/me.ts'
import { usePages } from '../../../api/pages.ts'
import { Card } from '../../../components/card.tsx'
import { CopyTextButton } from '../../../components/copy-field.tsx'
import { DataList } from '../../../components/data-list.tsx'
import { EmptyState } from '../../../components/empty-error-loading.tsx'
import { ReadGate, WriteGuard } from '../../../components/endpoint-state.tsx'
import { FormattedTime } from '../../../components/formatted-time.tsx'
import { loadOnOpen } from '../../../components/load-on-open.tsx'
import { notifyError } from '../../../components/toast.tsx'
import { formatBytes } from '../../../format/number.ts'
import { formatDateTime } from '../../../format/time.ts'
import { ContentSummary } from './content-counts.tsx'
import { useRollBack } from './use-roll-back.tsx'
import classes from './workspace.module.css'
import { downloadArchive, isReady, type ReadyArchive, readArchives } from './workspace-data.ts'

const CopyArchiveDialog = loadOnOpen(
  async () => (await import('./copy-archive-dialog.tsx')).CopyArchiveDialog,
  ({ archive }) => archive !== null,
  ({ close }) => close(),
)

/** The archives of a workspace with their actions. */
export const ArchivesCard = () => (
  <ReadGate endpoint="workspaces">
    <LoadedArchivesCard />
  </ReadGate>
)

function LoadedArchivesCard() {
  const { id, isArchived } = useWorkspace()
  const canRestore = useHasPermission('workspace.restore')
  const [archiveToCopy, setArchiveToCopy] = useState<ReadyArchive | null>(null)
  const pages = usePages([id, 'archives'], (cursor) => readArchives(id, cursor))
  const hasArchives = (pages.data?.pages[0]?.archives.length ?? 0) > 0
  return (
    <Card title="Archives">
      {hasArchives && canRestore && !isArchived ? (
        <Text size="sm" c="dimmed" mb="sm">
          To roll back to an archive, archive this workspace first.
        </Text>
      ) : null}
      <DataList
        pages={pages}
        label="Archives"
        rows={({ archives }) => archives}
        rowKey={(archive) => archive.id}
        empty={
          <EmptyState icon={IconArchive} title="No archives yet">
            Archiving the workspace creates an archive: a snapshot of its members, roles, cases and events.
          </EmptyState>
        }
      >
        {(archive) =>
          isReady(archive) ? (
            <ArchiveRow archive={archive} copy={() => setArchiveToCopy(archive)} />
          ) : (
            <Text size="sm" c="dimmed">
              The archive of <FormattedTime value={archive.createdAt} format="dateTime" /> is being prepared.
            </Text>
          )
        }
      </DataList>
      <CopyArchiveDialog archive={archiveToCopy} close={() => setArchiveToCopy(null)} />
    </Card>
  )
}

function ArchiveRow({ archive, copy }: { readonly archive: ReadyArchive; readonly copy: () => void }) {
  const { groupName, createdAt, sizeBytes, sha256, counts } = archive
  const { isArchived, permissions } = useWorkspace()
  const [isBusy, setIsBusy] = useState(false)
  const rollBack = useRollBack()
  const archiveName = `the archive of ${formatDateTime(createdAt)}`
  const startDownload = async () => {
    setIsBusy(true)
    await downloadArchive(archive).catch(notifyError)
    setIsBusy(false)
  }
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
          <Button
            variant="default"
            size="sm"
            leftSection={<IconDownload size={16} aria-hidden />}
            loading={isBusy}
            onClick={() => void startDownload()}
            aria-label={`Download ${archiveName}`}
          >
            Download
          </Button>
        ) : null}
        {COPY_ARCHIVE_PERMISSIONS.every((permission) => permissions.has(permission)) ? (
          <WriteGuard endpoint="workspaces" worksWhenArchived>
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
        {isArchived && permissions.has('workspace.restore') ? (
          <WriteGuard endpoint="workspaces" worksWhenArchived>
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
      </Group>
    </Stack>
  )
}
