import { Button, Group, Stack, Text } from '@mantine/core'
import { COPY_ARCHIVE_PERMISSIONS, DOWNLOAD_ARCHIVE_PERMISSIONS } from '@reeve/core'
import { IconArchive, IconCopyPlus, IconDownload, IconHistory } from '@tabler/icons-react'
import { useState } from 'react'
import { useMay, useWorkspace } from '../../../api/me.ts'
import { usePages } from '../../../api/pages.ts'
import { Card } from '../../../components/card.tsx'
import { Copy } from '../../../components/copy-field.tsx'
import { DataList } from '../../../components/data-list.tsx'
import { PlainTime } from '../../../components/plain-time.tsx'
import { EmptyState } from '../../../components/states.tsx'
import { tellOfFailure } from '../../../components/tell.tsx'
import { bytes } from '../../../format/number.ts'
import { dateTime } from '../../../format/time.ts'
import { CopyDialog } from './copy-dialog.tsx'
import { type Archive, download, readArchives } from './data.ts'
import { HoldingLine } from './holding.tsx'
import { useRollBack } from './roll-back.tsx'
import classes from './workspace.module.css'

/** What was sealed of the workspace, and what can be done with it. */
export function ArchivesCard() {
  const { id, isArchived } = useWorkspace()
  const mayRestore = useMay('workspace.restore')
  const [copied, setCopied] = useState<Archive | null>(null)
  const pages = usePages([id, 'archives'], (cursor) => readArchives(id, cursor))
  const hasSome = (pages.data?.pages[0]?.archives.length ?? 0) > 0
  return (
    <Card title="Archives">
      {hasSome && mayRestore && !isArchived ? (
        <Text size="sm" c="dimmed" mb="sm">
          To roll this workspace back to one of them, archive it first.
        </Text>
      ) : null}
      <DataList
        pages={pages}
        label="Archives"
        rows={({ archives }) => archives}
        rowKey={(archive) => archive.id}
        empty={
          <EmptyState icon={IconArchive} title="No archives yet">
            One is sealed whenever the workspace is archived: all its members, roles, records and events as
            they are at that moment.
          </EmptyState>
        }
      >
        {(archive) => <ArchiveRow archive={archive} copy={() => setCopied(archive)} />}
      </DataList>
      <CopyDialog archive={copied} close={() => setCopied(null)} />
    </Card>
  )
}

function ArchiveRow({ archive, copy }: { readonly archive: Archive; readonly copy: () => void }) {
  const { groupName, createdAt, sizeBytes, sha256, counts } = archive
  const { isArchived, permissions } = useWorkspace()
  const [isBusy, setIsBusy] = useState(false)
  const rollBack = useRollBack()
  const of = `the archive of ${dateTime(createdAt)}`
  const take = async () => {
    setIsBusy(true)
    await download(archive).catch(tellOfFailure)
    setIsBusy(false)
  }
  return (
    <Stack gap={6}>
      <Text component="span">
        <Text component="span" fw={550}>
          <PlainTime at={createdAt} as="dateTime" />
        </Text>{' '}
        <Text component="span" size="sm" c="dimmed">
          · <bdi>{groupName}</bdi> · {bytes(sizeBytes)}
        </Text>
      </Text>
      <HoldingLine counts={counts} />
      <span className={classes.sum}>
        SHA-256 <code title={sha256}>{sha256}</code>
        <Copy value={sha256} label={`SHA-256 of ${of}`} />
      </span>
      <Group gap="xs">
        {DOWNLOAD_ARCHIVE_PERMISSIONS.every((one) => permissions.has(one)) ? (
          <Button
            variant="default"
            size="sm"
            leftSection={<IconDownload size={16} aria-hidden />}
            loading={isBusy}
            onClick={() => void take()}
            aria-label={`Download ${of}`}
          >
            Download
          </Button>
        ) : null}
        {COPY_ARCHIVE_PERMISSIONS.every((one) => permissions.has(one)) ? (
          <Button
            variant="default"
            size="sm"
            leftSection={<IconCopyPlus size={16} aria-hidden />}
            onClick={copy}
            aria-label={`New workspace from ${of}`}
          >
            New workspace…
          </Button>
        ) : null}
        {isArchived && permissions.has('workspace.restore') ? (
          <Button
            variant="light"
            color="red"
            size="sm"
            leftSection={<IconHistory size={16} aria-hidden />}
            onClick={() => rollBack(archive)}
            aria-label={`Roll back to ${of}`}
          >
            Roll back…
          </Button>
        ) : null}
      </Group>
    </Stack>
  )
}
