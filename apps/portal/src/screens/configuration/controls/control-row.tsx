import { Badge, Button, Code, Group, Text } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { PlainTime } from '../../../components/plain-time.tsx'
import type { Control } from './control-data.ts'
import classes from './controls.module.css'
import { alwaysOn, endpointWords, type Mode, modeWords } from './endpoint-words.ts'
import type { Switchable } from './switch-form.tsx'

const colours: Readonly<Record<Mode, string>> = { on: 'green', read_only: 'yellow', off: 'red' }

interface Props {
  readonly control: Control
  /** Absent where the reader may only look. */
  readonly change: ((control: Switchable) => void) | undefined
}

const canSwitch = (control: Control): control is Switchable => !Object.hasOwn(alwaysOn, control.endpoint)

/** An endpoint: what it is for, how it is switched, and since when. */
export function ControlRow({ control, change }: Props) {
  const { endpoint, mode, message, updatedAt, updatedByUsername } = control
  const { title, use } = endpointWords[endpoint]
  return (
    <div className={classes.row}>
      <div className={classes.text}>
        <Group gap="xs">
          <Text fw={600}>{title}</Text>
          <Badge variant="light" color={colours[mode]}>
            {modeWords[mode]}
          </Badge>
          <Code>/api/{endpoint}</Code>
        </Group>
        <Text size="sm" c="dimmed">
          {use}
        </Text>
        {message && mode !== 'on' ? (
          <Text size="sm" mt={4}>
            “<bdi>{message}</bdi>”
          </Text>
        ) : null}
        {updatedAt ? (
          <Text size="xs" c="dimmed" mt={4}>
            Switched <PlainTime at={updatedAt} />
            {updatedByUsername ? (
              <>
                {' '}
                by <bdi>{updatedByUsername}</bdi>
              </>
            ) : null}
          </Text>
        ) : null}
        {canSwitch(control) ? null : (
          <Text size="xs" c="dimmed" className={classes.locked}>
            <IconLock size={14} aria-hidden /> {alwaysOn[endpoint as keyof typeof alwaysOn]}
          </Text>
        )}
      </div>
      {change && canSwitch(control) ? (
        <Button variant="default" onClick={() => change(control)} aria-label={`Switch ${title}`}>
          Switch
        </Button>
      ) : null}
    </div>
  )
}
