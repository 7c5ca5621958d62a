import { Button, FileButton, Group, Input, Stack, Text } from '@mantine/core'
import { IconPhotoPlus, IconTrash } from '@tabler/icons-react'
import { type DragEvent, useState } from 'react'
import { useFilePaste } from '../../../components/use-file-paste.ts'
import { EventImage } from '../event-image.tsx'
import { type Crop, initialCrop } from './crop.ts'
import { Cropper } from './cropper.tsx'
import classes from './form.module.css'
import { type ChosenImage, imageTypes, readImage } from './image-file.ts'

/** Whether the image is kept, removed or replaced. */
export type ImageChoice =
  | { readonly kind: 'same' }
  | { readonly kind: 'none' }
  | { readonly kind: 'new'; readonly image: ChosenImage; readonly crop: Crop }

interface Props {
  readonly label: string
  /** The URL of the current image. */
  readonly currentUrl: string | null
  readonly value: ImageChoice
  readonly onChange: (choice: ImageChoice) => void
  readonly error?: React.ReactNode
}

const findImageFile = (files: readonly File[]): File | null =>
  files.find(({ type }) => type.startsWith('image/')) ?? files[0] ?? null

/** The image of an event: chosen, dropped here, or pasted anywhere in the form, then cropped. */
export function ImageField({ label, currentUrl, value, onChange, error }: Props) {
  const [problem, setProblem] = useState('')
  const [isDraggedOver, setIsDraggedOver] = useState(false)
  const url = value.kind === 'same' ? currentUrl : null
  const choose = async (file: File | null) => {
    if (!file) return
    setProblem('')
    try {
      onChange({ kind: 'new', image: await readImage(file), crop: initialCrop })
    } catch (cause) {
      setProblem((cause as Error).message)
    }
  }
  useFilePaste((files) => void choose(findImageFile(files)))
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setIsDraggedOver(false)
    void choose(findImageFile([...event.dataTransfer.files]))
  }
  const dragOver = (event: DragEvent) => {
    event.preventDefault()
    setIsDraggedOver(true)
  }
  const isEmpty = url === null && value.kind !== 'new'
  return (
    <Input.Wrapper label={label} labelElement="div" error={problem || error}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is optional; the buttons inside do the same */}
      <div
        className={classes.dropZone}
        data-is-dragged-over={isDraggedOver || undefined}
        data-is-empty={isEmpty || undefined}
        onDragOver={dragOver}
        onDragLeave={() => setIsDraggedOver(false)}
        onDrop={drop}
      >
        <Stack gap="sm">
          {value.kind === 'new' ? (
            <Cropper
              image={value.image}
              crop={value.crop}
              onChange={(crop) => onChange({ ...value, crop })}
            />
          ) : null}
          {url === null ? null : <EventImage url={url} />}
          <Group gap="xs">
            <FileButton accept={imageTypes.join(',')} onChange={(file) => void choose(file)}>
              {(button) => (
                <Button
                  {...button}
                  variant="default"
                  leftSection={<IconPhotoPlus size={16} stroke={1.7} aria-hidden />}
                >
                  {isEmpty ? 'Choose image' : 'Choose another image'}
                </Button>
              )}
            </FileButton>
            {isEmpty ? null : (
              <Button
                variant="subtle"
                color="red"
                leftSection={<IconTrash size={16} stroke={1.7} aria-hidden />}
                onClick={() => onChange({ kind: 'none' })}
              >
                Remove image
              </Button>
            )}
          </Group>
          {isEmpty ? (
            <Text size="xs" c="dimmed">
              You can also drop or paste an image. PNG, JPEG or WebP; large images are scaled down.
            </Text>
          ) : null}
        </Stack>
      </div>
    </Input.Wrapper>
  )
}
