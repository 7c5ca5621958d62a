import { Badge, Button, Group, Text } from '@mantine/core'
import { DetailsButton } from '../../../components/details-button.tsx'
import { FormattedTime } from '../../../components/formatted-time.tsx'
import { pluralize } from '../../../format/number.ts'
import { type Delivery, formatDuration } from './delivery-data.ts'
import { DeliveryDetails } from './delivery-details.tsx'
import { describeEvent } from './event-labels.ts'
import classes from './webhooks.module.css'

const badges = {
  delivered: { label: 'Delivered', color: 'green' },
  pending: { label: 'Pending', color: 'gray' },
  failed: { label: 'Failed', color: 'red' },
} as const

/** Whether a delivery has arrived. One that failed and is tried again says so. */
function DeliveryBadge({ delivery: { state, attempts } }: { readonly delivery: Delivery }) {
  const { label, color } = badges[state]
  const isRetrying = state === 'pending' && attempts !== '0'
  return (
    <Badge variant="light" color={isRetrying ? 'yellow' : color}>
      {isRetrying ? 'Retrying' : label}
    </Badge>
  )
}

interface Props {
  readonly delivery: Delivery
  readonly isOpen: boolean
  readonly toggle: () => void
  /** Undefined if it cannot be sent again. */
  readonly resend: ((delivery: Delivery) => void) | undefined
}

/** A delivery: what was sent, and how the receiver responded; the request and the response when expanded. */
export function DeliveryRow({ delivery, isOpen, toggle, resend }: Props) {
  const { id, type, createdAt, attempts, lastStatus, durationMs, nextAttemptAt } = delivery
  const facts = [
    lastStatus === null ? null : `status ${lastStatus}`,
    durationMs === null ? null : formatDuration(durationMs),
    Number(attempts) > 1 ? pluralize(attempts, 'attempt') : null,
  ].filter((fact) => fact !== null)
  return (
    <article aria-label={`${type}, ${describeEvent(type)}`}>
      <div className={classes.delivery}>
        <div className={classes.text}>
          <Group gap="xs">
            <Text fw={600} size="sm">
              {type}
            </Text>
            <DeliveryBadge delivery={delivery} />
          </Group>
          <Text size="sm" c="dimmed" component="div">
            {[<FormattedTime key="at" value={createdAt} />, ...facts].flatMap((fact, index) =>
              index === 0 ? [fact] : [' · ', fact],
            )}
            {nextAttemptAt === null ? null : (
              <>
                {' · '}
                {attempts === '0' ? 'is sent ' : 'next attempt '}
                <FormattedTime value={nextAttemptAt} />
              </>
            )}
          </Text>
        </div>
        <DetailsButton
          label={`Details of ${type}`}
          word="Details"
          controls={`delivery-${id}`}
          isOpen={isOpen}
          toggle={toggle}
        />
      </div>
      {isOpen ? (
        <div id={`delivery-${id}`} className={classes.deliveryDetails}>
          <DeliveryDetails delivery={delivery} />
          {resend ? (
            <Button variant="default" size="sm" mt="sm" onClick={() => resend(delivery)}>
              Resend
            </Button>
          ) : null}
        </div>
      ) : null}
    </article>
  )
}
