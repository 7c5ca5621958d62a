import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useWorkspace } from '../../../api/me.ts'
import { CopyTextButton } from '../../../components/copy-field.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { buildCurlExample } from './curl-example.ts'
import type { CreatedKey as Fresh } from './key-data.ts'
import classes from './keys.module.css'

/** Shows a new key this once. It goes away by its button alone, so that no slip of a finger loses it. */
export const CreatedKeyDialog = ({
  created,
  close,
}: {
  readonly created: Fresh | null
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
  readonly created: Fresh
  readonly close: () => void
}) {
  const { id } = useWorkspace()
  const example = buildCurlExample(window.location.origin, id, { secret, permissions: key.permissions })
  return (
    <Stack gap="md">
      <Alert color="yellow" icon={<IconAlertTriangle size={18} aria-hidden />}>
        Copy it now. It is shown this once: Reeve keeps only a fingerprint of it.
      </Alert>
      <CopyBlock label="API key" value={secret}>
        Keep it where only the program that uses it can read it: never in a script that players can download.
      </CopyBlock>
      {example ? (
        <CopyBlock label="Try it" value={example.command}>
          In a terminal; it answers {example.description}, and changes nothing.
          {key.allowedIps.length > 0 ? ` It works only from ${key.allowedIps.join(', ')}.` : ''}
        </CopyBlock>
      ) : (
        <Text size="sm" c="dimmed">
          This key reads nothing, so every call that it can make changes something. The API reference shows
          them.
        </Text>
      )}
      <Group justify="flex-end">
        <Button onClick={close} data-autofocus>
          I have stored it
        </Button>
      </Group>
    </Stack>
  )
}

interface CopyBlockProps {
  readonly label: string
  readonly value: string
  readonly children: ReactNode
}

/** A text to be taken elsewhere, shown whole however narrow the window is. */
const CopyBlock = ({ label, value, children }: CopyBlockProps) => (
  <div>
    <Text size="sm" fw={600} mb={4}>
      {label}
    </Text>
    <div className={classes.line}>
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
