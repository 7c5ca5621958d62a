import { Text } from '@mantine/core'
import { IconArchive } from '@tabler/icons-react'
import { useState } from 'react'
import { useHasPermission, useWorkspace } from '../../../api/me.ts'
import { usePages } from '../../../api/pages.ts'
import { Card } from '../../../components/card.tsx'
import { DataList } from '../../../components/data-list.tsx'
import { EmptyState } from '../../../components/empty-error-loading.tsx'
import { ReadGate } from '../../../components/endpoint-state.tsx'
import { loadOnOpen } from '../../../components/load-on-open.tsx'
import { ArchiveRow, PreparingArchiveRow } from './archive-row.tsx'
import { isReady, type ReadyArchive, readArchives } from './workspace-data.ts'

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
            <PreparingArchiveRow archive={archive} />
          )
        }
      </DataList>
      <CopyArchiveDialog archive={archiveToCopy} close={() => setArchiveToCopy(null)} />
    </Card>
  )
}
