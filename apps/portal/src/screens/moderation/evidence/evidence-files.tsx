import { Button, Group, Progress, Text } from '@mantine/core'
import { MAX_EVIDENCE_FILES } from '@reeve/core'
import { useHasPermission, useWorkspace } from '../../../api/me.ts'
import { Card } from '../../../components/card.tsx'
import { useEndpointState } from '../../../components/endpoint-state.tsx'
import { formatBytes } from '../../../format/number.ts'
import type { ModerationRecord } from '../queries.ts'
import { recordFields } from '../record-fields.tsx'
import classes from './evidence.module.css'
import { FileDrop } from './file-drop.tsx'
import { FileItem } from './file-item.tsx'
import { dismissUpload, retryUpload, startUploads, type Upload, useUploads } from './uploads.ts'

/** The files of a record: to look at, save, add and remove. */
export function EvidenceFiles({ record }: { readonly record: ModerationRecord }) {
  const { id: workspaceId } = useWorkspace()
  const { id, evidenceFiles, redactedAt } = record
  const canOpen = useHasPermission('moderation.evidence')
  const isBlocked = useEndpointState('moderation').blockedReason !== null
  const uploads = useUploads(id)
  const canAdd = canOpen && redactedAt === null
  const staffFiles = evidenceFiles.filter(({ appealId }) => appealId === null)
  const isFull = staffFiles.length + uploads.length >= MAX_EVIDENCE_FILES
  if (evidenceFiles.length === 0 && uploads.length === 0 && !canAdd) return null
  const { label } = recordFields.evidenceFiles
  return (
    <Card title={label}>
      {evidenceFiles.length === 0 && uploads.length === 0 ? (
        <Text size="sm" c="dimmed" mb="sm">
          No files yet. Only staff with the permission for evidence files can open them.
        </Text>
      ) : null}
      {evidenceFiles.length > 0 ? (
        <ul className={classes.files} aria-label={label}>
          {evidenceFiles.map((file) => (
            <FileItem key={file.id} record={record} file={file} canOpen={canOpen} />
          ))}
        </ul>
      ) : null}
      {uploads.length > 0 ? (
        <ul className={classes.files} aria-label="Uploads" aria-live="polite">
          {uploads.map((upload) => (
            <UploadItem key={upload.key} upload={upload} />
          ))}
        </ul>
      ) : null}
      {!canAdd ? null : isFull ? (
        <Text size="sm" c="dimmed">
          A case can have {MAX_EVIDENCE_FILES} files. Remove one to add another.
        </Text>
      ) : isBlocked ? null : (
        <FileDrop label="Add files" onFiles={(files) => startUploads(workspaceId, id, files)} />
      )}
    </Card>
  )
}

function UploadItem({ upload: { key, file, progress, problem } }: { readonly upload: Upload }) {
  return (
    <li className={classes.file}>
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <Text size="sm" className={classes.name}>
          <bdi>{file.name}</bdi>
        </Text>
        <Text size="xs" c="dimmed" className={classes.size}>
          {formatBytes(file.size)}
        </Text>
      </Group>
      {problem === null ? (
        <Progress.Root size="sm" mt={6}>
          <Progress.Section value={progress * 100} aria-label={`Sending ${file.name}`} />
        </Progress.Root>
      ) : (
        <>
          <Text size="sm" c="red" role="alert" mt={4}>
            {problem}
          </Text>
          <Group gap="xs" mt={6}>
            <Button size="xs" variant="default" onClick={() => retryUpload(key)}>
              Try again
            </Button>
            <Button size="xs" variant="subtle" color="gray" onClick={() => dismissUpload(key)}>
              Dismiss
            </Button>
          </Group>
        </>
      )}
    </li>
  )
}
