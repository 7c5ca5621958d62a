import { Button, Stack, Text, Textarea } from '@mantine/core'
import { DialogFooter } from './dialog-footer.tsx'
import { openModal } from './modals.tsx'

interface Copyable {
  readonly value: string
  readonly label: string
}

/** Shows a text that the browser does not allow to copy, selected. */
export const openTextToCopy = ({ value, label }: Copyable): void =>
  openModal({
    title: 'Copy the text',
    closeOnClickOutside: false,
    render: (close) => (
      <Stack gap="md">
        <Text size="sm">Your browser does not allow copying here: select the text and copy it.</Text>
        <Textarea
          aria-label={label}
          value={value}
          readOnly
          autosize
          maxRows={12}
          data-autofocus
          onFocus={(event) => event.currentTarget.select()}
        />
        <DialogFooter>
          <Button variant="default" onClick={close}>
            Close
          </Button>
        </DialogFooter>
      </Stack>
    ),
  })
