import { Alert, Button, Code, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useWorkspace } from '../../../api/me.ts'
import { CopyTextButton } from '../../../components/copy-field.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { DialogFooter } from '../../../components/dialog-footer.tsx'
import { buildCurlExample } from './curl-example.ts'
import type { CreatedKey } from './key-data.ts'
import classes from './keys.module.css'

/** Shows a new key, once. Only the button closes the dialog, so that the key is not lost by accident. */
export const CreatedKeyDialog = ({
  created,
  close,
}: {
  readonly created: CreatedKey | null
  readonly close: () => void
}) => (
  <Dialog
    opened={created !== null}
    onClose={close}
    size="lg"
    title={created ? `The key “${created.key.name}” is ready` : ''}
    withCloseButton={false}
    closeOnClickOutside={false}
    closeOnEscape={false}
  >
    {created ? <CreatedKeyDetails created={created} close={close} /> : null}
  </Dialog>
)

function CreatedKeyDetails({
  created: { key, secret },
  close,
}: {
  readonly created: CreatedKey

  readonly close: () => void
}) {
  const { id } = useWorkspace()
  const example = buildCurlExample(window.location.origin, id, { secret, permissions: key.permissions })
  return (
    <Stack gap="md">
      <Alert color="yellow" icon={<IconAlertTriangle size={18} aria-hidden />}>
        Copy the key now. It will not be shown again: Reeve stores only a hash of it.
      </Alert>
      <CopyBlock label="API key" value={secret}>
        Store it where only your program can read it, never in a script that players can download.
      </CopyBlock>
      {example ? (
        <CopyBlock label="Try it" value={example.command}>
          Run this in a terminal. It returns {example.description} and changes nothing.
          {key.allowedIps.length > 0 ? ` It only works from ${key.allowedIps.join(', ')}.` : ''}
        </CopyBlock>
      ) : (
        <Text size="sm" c="dimmed">
          This key has no read permissions, so every request it can make changes something. See the API
          reference for examples.
        </Text>
      )}
      <DialogFooter>
        <Button onClick={close} data-autofocus>
          I have stored it
        </Button>
      </DialogFooter>
    </Stack>
  )
}

interface CopyBlockProps {
  readonly label: string
  readonly value: string
  readonly children: ReactNode
}

/** A text to copy. It wraps instead of being cut off. */
const CopyBlock = ({ label, value, children }: CopyBlockProps) => (
  <div>
    <Text size="sm" fw={600} mb={4}>
      {label}
    </Text>
    <div className={classes.copyBlock}>
      <Code block tabIndex={0} role="group" aria-label={label} className={classes.code}>
        {value}
      </Code>
      <CopyTextButton value={value} label={label} />
    </div>
    <Text size="xs" c="dimmed" mt={4}>
      {children}
    </Text>
  </div>
)
