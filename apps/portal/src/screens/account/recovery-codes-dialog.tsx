import { Alert, Button, Group, Stack } from '@mantine/core'
import { IconAlertTriangle, IconDownload, IconPrinter } from '@tabler/icons-react'
import { useMe } from '../../api/me.ts'
import { CopyButton } from '../../components/copy-button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { DialogFooter } from '../../components/dialog-footer.tsx'
import classes from './factors.module.css'

interface Props {
  /** Null while the dialog is closed. */
  readonly codes: readonly string[] | null
  readonly close: () => void
}

/** Shows new recovery codes, once. Only the button closes the dialog, so that they are not lost by accident. */
export const RecoveryCodesDialog = ({ codes, close }: Props) => (
  <Dialog
    opened={codes !== null}
    onClose={close}
    size="lg"
    title="Your recovery codes"
    withCloseButton={false}
    closeOnClickOutside={false}
    closeOnEscape={false}
  >
    {codes ? <RecoveryCodes codes={codes} close={close} /> : null}
  </Dialog>
)

function RecoveryCodes({ codes, close }: Props & { readonly codes: readonly string[] }) {
  const { username } = useMe()
  const text = [`Recovery codes of ${username} at ${location.host}. Each works once.`, '', ...codes, ''].join(
    '\n',
  )
  const file = `data:text/plain;charset=utf-8,${encodeURIComponent(text)}`
  return (
    <Stack gap="md">
      <Alert color="yellow" icon={<IconAlertTriangle size={18} aria-hidden />}>
        Store these codes now, away from your phone: they will not be shown again. Each of them signs you in
        once if you lose your second factor.
      </Alert>
      <ul className={classes.codes} aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <Group gap="sm">
        <CopyButton value={text} label="recovery codes" withIcon>
          Copy
        </CopyButton>
        <Button
          component="a"
          variant="default"
          href={file}
          download="reeve-recovery-codes.txt"
          leftSection={<IconDownload size={16} aria-hidden />}
        >
          Download
        </Button>
        <Button
          variant="default"
          leftSection={<IconPrinter size={16} aria-hidden />}
          onClick={() => window.print()}
        >
          Print
        </Button>
      </Group>
      <DialogFooter>
        <Button onClick={close} data-autofocus>
          I have stored them
        </Button>
      </DialogFooter>
    </Stack>
  )
}
