import { Code, Stack, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useWorkspace } from '../../../api/me.ts'
import { ErrorState, LoadingRows } from '../../../components/empty-error-loading.tsx'
import { FormattedTime } from '../../../components/formatted-time.tsx'
import { type Delivery, type DeliveryWithContent, deliveryQuery, formatDuration } from './delivery-data.ts'
import { Fact } from './fact.tsx'
import classes from './webhooks.module.css'

/** The facts, the request and the response of a delivery in a list. */
export function DeliveryDetails({ delivery }: { readonly delivery: Delivery }) {
  const { id: workspaceId } = useWorkspace()
  const { data, error, refetch } = useQuery({
    ...deliveryQuery(workspaceId, delivery.id),
    // Read again after each attempt.
    queryKey: [...deliveryQuery(workspaceId, delivery.id).queryKey, delivery.state, delivery.attempts],
    placeholderData: keepPreviousData,
  })
  return (
    <Stack gap="sm">
      <DeliveryFacts delivery={delivery} />
      {data ? <DeliveryContent delivery={data} /> : null}
      {!data && error ? <ErrorState error={error} retry={() => void refetch()} /> : null}
      {data || error ? null : <LoadingRows rows={2} height={96} />}
    </Stack>
  )
}

/** How the attempts went. */
export function DeliveryFacts({ delivery }: { readonly delivery: Delivery }) {
  const { id, state, lastStatus, lastError, durationMs, attempts, finishedAt, nextAttemptAt } = delivery
  const response = [lastStatus === null ? null : `Status ${lastStatus}`, lastError].filter(Boolean).join(': ')
  return (
    <dl className={classes.facts}>
      <Fact name="Response">{response || 'None yet'}</Fact>
      {durationMs === null ? null : <Fact name="Duration">{formatDuration(durationMs)}</Fact>}
      <Fact name="Attempts">{attempts}</Fact>
      {finishedAt === null ? null : (
        <Fact name={state === 'failed' ? 'Given up' : 'Delivered'}>
          <FormattedTime value={finishedAt} format="dateTime" />
        </Fact>
      )}
      {nextAttemptAt === null ? null : (
        <Fact name="Next attempt">
          <FormattedTime value={nextAttemptAt} format="dateTime" />
        </Fact>
      )}
      <Fact name="webhook-id">{id}</Fact>
    </dl>
  )
}

/** What was sent, and what the receiver returned last. */
export const DeliveryContent = ({
  delivery: { body, response },
}: {
  readonly delivery: DeliveryWithContent
}) => (
  <>
    <Body title="Request body" text={body} missing="You may not view this event, or its case was redacted." />
    <Body title="Response body" text={response} missing="Empty." />
  </>
)

/** Indents JSON; another text is returned as it is. */
export function formatBody(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

interface BodyProps {
  readonly title: string
  readonly text: string | null
  /** Shown if there is none. */
  readonly missing: string
}

const Body = ({ title, text, missing }: BodyProps) => (
  <div>
    <Text size="sm" fw={600} mb={4}>
      {title}
    </Text>
    {text ? (
      <Code block tabIndex={0} role="group" aria-label={title} className={classes.body ?? ''}>
        {formatBody(text)}
      </Code>
    ) : (
      <Text size="sm" c="dimmed">
        {missing}
      </Text>
    )}
  </div>
)
