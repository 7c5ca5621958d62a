import { Button, Group, Text } from '@mantine/core'
import { IconDownload, IconEye, IconEyeOff, IconTrash } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useWorkspace } from '../../../api/me.ts'
import { openConfirmDialog } from '../../../components/confirm-dialog.tsx'
import { CopyField } from '../../../components/copy-field.tsx'
import { WriteGuard } from '../../../components/endpoint-state.tsx'
import { FormattedTime } from '../../../components/formatted-time.tsx'
import { notifyError, notifySuccess } from '../../../components/toast.tsx'
import { formatBytes } from '../../../format/number.ts'
import type { ModerationRecord } from '../queries.ts'
import classes from './evidence.module.css'
import { type EvidenceFile, readFile, removeFile, saveFile } from './file-requests.ts'

const ICON_SIZE = 16

interface Props {
  readonly record: ModerationRecord
  readonly file: EvidenceFile
  /** Whether the user may open the file, and remove it. */
  readonly canOpen: boolean
}

/** One file of a record. Its content is loaded when it is requested. */
export function FileItem({ record, file, canOpen }: Props) {
  const { id: workspaceId } = useWorkspace()
  const [content, setContent] = useState<Blob | null>(null)
  const [busy, setBusy] = useState<'show' | 'save' | null>(null)
  const run = async (kind: 'show' | 'save', work: () => Promise<void>) => {
    setBusy(kind)
    await work().catch(notifyError)
    setBusy(null)
  }
  const { name, type, size, sha256, addedAt, appealId } = file
  const canShow = type.startsWith('image/') || type.startsWith('video/')
  return (
    <li className={classes.file}>
      <Text size="sm" fw={500} className={classes.name}>
        <bdi>{name}</bdi>
      </Text>
      <Text size="xs" c="dimmed" component="div">
        {formatBytes(size)} · {appealId === null ? 'added' : 'sent by the player with an appeal'}{' '}
        <FormattedTime value={addedAt} />
      </Text>
      <CopyField label="SHA-256" value={sha256} />
      {content === null ? null : <Preview content={content} name={name} />}
      {canOpen ? (
        <Group gap="xs" mt={8} data-no-print>
          {canShow ? (
            <Button
              size="xs"
              variant="default"
              loading={busy === 'show'}
              leftSection={
                content ? (
                  <IconEyeOff size={ICON_SIZE} aria-hidden />
                ) : (
                  <IconEye size={ICON_SIZE} aria-hidden />
                )
              }
              aria-label={`${content ? 'Hide' : 'Show'} ${name}`}
              onClick={() =>
                content
                  ? setContent(null)
                  : void run('show', async () => setContent(await readFile(workspaceId, file)))
              }
            >
              {content ? 'Hide' : 'Show'}
            </Button>
          ) : null}
          <Button
            size="xs"
            variant="default"
            loading={busy === 'save'}
            leftSection={<IconDownload size={ICON_SIZE} aria-hidden />}
            aria-label={`Download ${name}`}
            onClick={() => void run('save', () => saveFile(workspaceId, file))}
          >
            Download
          </Button>
          <WriteGuard endpoint="moderation">
            <Button
              size="xs"
              variant="subtle"
              color="red"
              leftSection={<IconTrash size={ICON_SIZE} aria-hidden />}
              aria-label={`Remove ${name}`}
              onClick={() => openRemoveDialog(workspaceId, record, file)}
            >
              Remove
            </Button>
          </WriteGuard>
        </Group>
      ) : null}
    </li>
  )
}

function openRemoveDialog(workspaceId: string, record: ModerationRecord, { id, name }: EvidenceFile): void {
  openConfirmDialog({
    title: `Remove “${name}”?`,
    children: `The file is deleted from case ${record.caseNumber}. Earlier versions and the audit log keep its name and checksum. This cannot be undone.`,
    confirmLabel: 'Remove file',
    isDestructive: true,
    run: async () => {
      await removeFile(workspaceId, record, id)
      notifySuccess(`Removed a file from case ${record.caseNumber}.`)
    },
  })
}

/** Shows a picture or video from memory: no page can be opened at its URL, and it is forgotten with the component. */
function Preview({ content, name }: { readonly content: Blob; readonly name: string }) {
  const [url, setUrl] = useState('')
  useEffect(() => {
    const created = URL.createObjectURL(content)
    setUrl(created)
    return () => URL.revokeObjectURL(created)
  }, [content])
  if (url === '') return null
  return content.type.startsWith('video/') ? (
    // biome-ignore lint/a11y/useMediaCaption: nobody has captions for a recording of a game
    <video className={classes.preview} src={url} controls aria-label={name} />
  ) : (
    <img className={classes.preview} src={url} alt={name} />
  )
}
