import { Button, FileButton, Text } from '@mantine/core'
import { MAX_EVIDENCE_FILE_BYTES } from '@reeve/core'
import { IconPaperclip } from '@tabler/icons-react'
import { type DragEvent, useState } from 'react'
import { WriteGuard } from '../../../components/endpoint-state.tsx'
import { useFilePaste } from '../../../components/use-file-paste.ts'
import { formatBytes } from '../../../format/number.ts'
import classes from './evidence.module.css'

/** For the dialog of the browser only: the server looks at the content. */
const ACCEPTED = '.png,.jpg,.jpeg,.webp,.gif,.avif,.mp4,.webm,.txt,.log,.pdf'

interface Props {
  readonly onFiles: (files: readonly File[]) => void
  /** What the button says. */
  readonly label: string
}

/** Where files are chosen, dropped, or pasted anywhere on the page. */
export function FileDrop({ onFiles, label }: Props) {
  const [isDraggedOver, setIsDraggedOver] = useState(false)
  const add = (files: Iterable<File>) => {
    const list = [...files]
    if (list.length > 0) onFiles(list)
  }
  useFilePaste(add)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setIsDraggedOver(false)
    add(event.dataTransfer.files)
  }
  const dragOver = (event: DragEvent) => {
    event.preventDefault()
    setIsDraggedOver(true)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is optional; the button inside does the same
    <div
      className={classes.drop}
      data-is-dragged-over={isDraggedOver || undefined}
      data-no-print
      onDragOver={dragOver}
      onDragLeave={() => setIsDraggedOver(false)}
      onDrop={drop}
    >
      <FileButton multiple accept={ACCEPTED} onChange={add}>
        {(button) => (
          <WriteGuard endpoint="moderation">
            <Button
              {...button}
              variant="default"
              leftSection={<IconPaperclip size={16} stroke={1.7} aria-hidden />}
            >
              {label}
            </Button>
          </WriteGuard>
        )}
      </FileButton>
      <Text size="xs" c="dimmed">
        You can also drop or paste files. Pictures, videos (MP4, WebM), text and PDF, up to{' '}
        {formatBytes(MAX_EVIDENCE_FILE_BYTES)} each. Places and other metadata are removed from pictures.
      </Text>
    </div>
  )
}
