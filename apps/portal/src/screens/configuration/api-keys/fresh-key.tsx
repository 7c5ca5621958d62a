import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useWorkspace } from '../../../api/me.ts'
import { Copy } from '../../../components/copy-field.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { curlLine } from './curl-line.ts'
import type { FreshKey as Fresh } from './key-data.ts'
import classes from './keys.module.css'

/** Shows a new key this once. It goes away by its button alone, so that no slip of a finger loses it. */
export const FreshKey = ({ fresh, close }: { readonly fresh: Fresh | null; readonly close: () => void }) => (
  <Dialog
    opened={fresh !== null}
    onClose={close}
    size="lg"
    title={fresh ? `The key “${fresh.key.name}” is ready` : ''}
    withCloseButton={false}
    closeOnClickOutside={false}
    closeOnEscape={false}
  >
    {fresh ? <Shown fresh={fresh} close={close} /> : null}
  </Dialog>
)

function Shown({ fresh: { key, secret }, close }: { readonly fresh: Fresh; readonly close: () => void }) {
  const { id } = useWorkspace()
  const trial = curlLine(window.location.origin, id, { secret, permissions: key.permissions })
  return (
    <Stack gap="md">
      <Alert color="yellow" icon={<IconAlertTriangle size={18} aria-hidden />}>
        Copy it now. It is shown this once: Reeve keeps only a fingerprint of it.
      </Alert>
      <Line label="API key" value={secret}>
        Keep it where only the program that uses it can read it: never in a script that players can download.
      </Line>
      {trial ? (
        <Line label="Try it" value={trial.line}>
          In a terminal; it answers {trial.answers}, and changes nothing.
          {key.addresses.length > 0 ? ` It works only from ${key.addresses.join(', ')}.` : ''}
        </Line>
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

interface LineProps {
  readonly label: string
  readonly value: string
  readonly children: ReactNode
}

/** A text to be taken elsewhere, shown whole however narrow the window is. */
const Line = ({ label, value, children }: LineProps) => (
  <div>
    <Text size="sm" fw={600} mb={4}>
      {label}
    </Text>
    <div className={classes.line}>
      <Code block tabIndex={0} role="group" aria-label={label} className={classes.code}>
        {value}
      </Code>
      <Copy value={value} label={label} />
    </div>
    <Text size="xs" c="dimmed" mt={4}>
      {children}
    </Text>
  </div>
)
