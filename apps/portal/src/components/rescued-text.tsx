import { Button, Stack, Text, Textarea } from '@mantine/core'
import { CopyTextButton } from './copy-button.tsx'
import { useDirtyCheck } from './dialog-context.ts'
import { DialogFooter } from './dialog-footer.tsx'
import type { TypedText } from './dialog-texts.ts'
import { openModal } from './modals.tsx'

const toKey = ({ label, text }: TypedText): string => JSON.stringify([label, text])

/** The keys of the texts that are on the screen: what rescues the texts of a form may do so together with its dialog. */
const visibleKeys = new Set<string>()

/** Shows texts whose page has disappeared while they were typed, to be copied. */
export function openRescuedTexts(texts: readonly TypedText[]): void {
  const added = texts.filter((text) => !visibleKeys.has(toKey(text)))
  if (added.length === 0) return
  for (const text of added) visibleKeys.add(toKey(text))
  openModal({
    title: 'Your text was not sent',
    closeOnClickOutside: false,
    staysOnNavigation: true,
    render: (close) => (
      <RescuedTexts
        texts={added}
        close={() => {
          for (const text of added) visibleKeys.delete(toKey(text))
          close()
        }}
      />
    ),
  })
}

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
          key={toKey({ label, text })}
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
