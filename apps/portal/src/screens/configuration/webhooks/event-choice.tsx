import { Button, Checkbox, Group, Stack, Text } from '@mantine/core'
import { type WebhookEvent, webhookEvents, webhookEventTypes } from '@reeve/core'
import { useWorkspace } from '../../../api/me.ts'
import { formatPermission } from '../../../components/permission-labels.ts'
import { canViewEvent, describeEvent, eventGroups } from './event-labels.ts'
import classes from './webhooks.module.css'

interface Props {
  readonly selected: readonly WebhookEvent[]
  readonly onSelect: (selected: readonly WebhookEvent[]) => void
  readonly error: string | undefined
}

/** Selects the events of a webhook, out of those that the user may see. */
export function EventChoice({ selected, onSelect, error }: Props) {
  const viewer = useWorkspace()
  const canSee = (type: WebhookEvent) => canViewEvent(viewer, type)
  return (
    <Checkbox.Group
      label="Events"
      value={[...selected]}
      onChange={(next) => onSelect(webhookEventTypes.filter((type) => next.includes(type)))}
      error={error}
      errorProps={{ role: 'alert' }}
    >
      <Group gap="xs" my="xs">
        <Button
          variant="default"
          size="compact-sm"
          onClick={() => onSelect(webhookEventTypes.filter(canSee))}
        >
          Select all
        </Button>
        <Button variant="default" size="compact-sm" onClick={() => onSelect([])}>
          Select none
        </Button>
      </Group>
      <div className={classes.events}>
        {eventGroups.map(({ title, types }) => (
          <Stack key={title} gap={6} role="group" aria-label={title}>
            <Text size="sm" fw={600}>
              {title}
            </Text>
            {types.map((type) => (
              <Checkbox
                key={type}
                value={type}
                label={type}
                disabled={!canSee(type) && !selected.includes(type)}
                description={
                  canSee(type)
                    ? describeEvent(type)
                    : `Requires the permission “${formatPermission(webhookEvents[type].permission)}”.`
                }
                {...(error ? { 'aria-invalid': true } : {})}
              />
            ))}
          </Stack>
        ))}
      </div>
    </Checkbox.Group>
  )
}
