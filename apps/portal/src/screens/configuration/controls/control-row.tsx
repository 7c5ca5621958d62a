import { Badge, Button, Code, Group, Text } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { FormattedTime } from '../../../components/formatted-time.tsx'
import type { Control } from './control-data.ts'
import classes from './controls.module.css'
import { alwaysOnReasons, endpointLabels, type Mode, modeLabels } from './endpoint-labels.ts'
import type { SwitchableControl } from './switch-form.tsx'

const modeColors: Readonly<Record<Mode, string>> = { on: 'green', read_only: 'yellow', off: 'red' }

interface Props {
  readonly control: Control
  /** Undefined without permission to change it. */
  readonly change: ((control: SwitchableControl) => void) | undefined
}

const isSwitchable = (control: Control): control is SwitchableControl =>
  !Object.hasOwn(alwaysOnReasons, control.endpoint)

/** An endpoint with its mode and last change. */
export function ControlRow({ control, change }: Props) {
  const { endpoint, mode, message, updatedAt, updatedByUsername } = control
  const { title, description } = endpointLabels[endpoint]
  return (
    <div className={classes.row}>
      <div className={classes.text}>
        <Group gap="xs">
          <Text fw={600}>{title}</Text>
          <Badge variant="light" color={modeColors[mode]}>
            {modeLabels[mode]}
          </Badge>
          <Code>/api/{endpoint}</Code>
        </Group>
        <Text size="sm" c="dimmed">
          {description}
        </Text>
        {message && mode !== 'on' ? (
          <Text size="sm" mt={4}>
            “<bdi>{message}</bdi>”
          </Text>
        ) : null}
        {updatedAt ? (
          <Text size="xs" c="dimmed" mt={4}>
            Changed <FormattedTime value={updatedAt} />
            {updatedByUsername ? (
              <>
                {' '}
                by <bdi>{updatedByUsername}</bdi>
              </>
            ) : null}
          </Text>
        ) : null}
        {isSwitchable(control) ? null : (
          <Text size="xs" c="dimmed" className={classes.locked}>
            <IconLock size={14} aria-hidden /> {alwaysOnReasons[endpoint as keyof typeof alwaysOnReasons]}
          </Text>
        )}
      </div>
      {change && isSwitchable(control) ? (
        <Button variant="default" onClick={() => change(control)} aria-label={`Change ${title}`}>
          Change
        </Button>
      ) : null}
    </div>
  )
}
