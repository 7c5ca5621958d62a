import { Alert, Button, Stack } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Dialog } from '../../components/dialog.tsx'
import { DialogFooter } from '../../components/dialog-footer.tsx'

interface Props {
  readonly opened: boolean
  readonly title: string
  readonly warning: string
  readonly close: () => void
  readonly children: ReactNode
}

/** Shows what the server returns only once. Only the button closes the dialog, so that it is not lost by accident. */
export const ShowOnceDialog = ({ opened, title, warning, close, children }: Props) => (
  <Dialog
    opened={opened}
    onClose={close}
    size="lg"
    title={title}
    withCloseButton={false}
    closeOnClickOutside={false}
    closeOnEscape={false}
  >
    {opened ? (
      <Stack gap="md">
        <Alert color="yellow" icon={<IconAlertTriangle size={18} aria-hidden />}>
          {warning}
        </Alert>
        {children}
        <DialogFooter>
          <Button onClick={close} data-autofocus>
            I have stored it
          </Button>
        </DialogFooter>
      </Stack>
    ) : null}
  </Dialog>
)
