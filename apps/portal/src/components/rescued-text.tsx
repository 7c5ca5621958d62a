import { Button, Stack, Text, Textarea } from '@mantine/core'
import { CopyTextButton } from './copy-button.tsx'
import { useDirtyCheck } from './dialog-context.ts'
import { DialogFooter } from './dialog-footer.tsx'
import { openModal } from './modals.tsx'

/** A text that was typed into a form. */
export interface TypedText {
  /** The label of its field. */
  readonly label: string
  readonly text: string
}

/** Shows texts whose page has disappeared while they were typed, to be copied. */
export const openRescuedTexts = (texts: readonly TypedText[]): void =>
  openModal({
    title: 'Your text was not sent',
    closeOnClickOutside: false,
    staysOnNavigation: true,
    render: (close) => <RescuedTexts texts={texts} close={close} />,
  })

interface Props {
  readonly texts: readonly TypedText[]
  readonly close: () => void
}

/** Only its button discards the texts without a question. */
function RescuedTexts({ texts, close }: Props) {
  useDirtyCheck(() => true)
  return (
    <Stack gap="md">
      <Text size="sm">
        Where you typed it can no longer be opened: somebody has changed what you have access to, or what is
        on. Copy the text if you need it.
      </Text>
      {texts.map(({ label, text }) => (
        <Textarea
          key={label}
          label={label}
          value={text}
          readOnly
          autosize
          minRows={2}
          maxRows={8}
          rightSection={<CopyTextButton value={text} label={label} />}
        />
      ))}
      <DialogFooter>
        <Button variant="default" onClick={close}>
          Discard text
        </Button>
      </DialogFooter>
    </Stack>
  )
}
