import { Text } from '@mantine/core'
import { FormattedTime } from '../../../components/formatted-time.tsx'
import { Fact } from './fact.tsx'
import type { Webhook } from './webhook-data.ts'
import classes from './webhooks.module.css'

/** Where a webhook sends what. */
export const WebhookFacts = ({ webhook }: { readonly webhook: Webhook }) => {
  const { kind, url, events, createdAt, previousSecretUntil } = webhook
  return (
    <dl className={classes.facts}>
      <Fact name={kind === 'discord' ? 'Discord webhook' : 'URL'}>
        <Text component="span" inherit className={classes.url ?? ''}>
          {url}
        </Text>
      </Fact>
      <Fact name="Events">{events.join(', ')}</Fact>
      <Fact name="Created">
        <FormattedTime value={createdAt} format="dateTime" />
      </Fact>
      {previousSecretUntil === null ? null : (
        <Fact name="Previous secret">
          Signs as well until <FormattedTime value={previousSecretUntil} format="dateTime" />
        </Fact>
      )}
    </dl>
  )
}
