import { Group, Text } from '@mantine/core'
import { webhookEventTypes } from '@reeve/core'
import { IconBrandDiscord, IconWebhook } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useWorkspace } from '../../../api/me.ts'
import { pluralize } from '../../../format/number.ts'
import { CreatorBadge } from '../creator-badge.tsx'
import { explainHealth, HealthBadge, LastDelivery } from './health.tsx'
import type { Webhook } from './webhook-data.ts'
import classes from './webhooks.module.css'

/** A webhook with its health and why it has it; a link to its page. */
export function WebhookRow({ webhook }: { readonly webhook: Webhook }) {
  const { id: workspaceId } = useWorkspace()
  const { id, name, url, kind, events, state, creatorStatus } = webhook
  const Icon = kind === 'discord' ? IconBrandDiscord : IconWebhook
  const explanation = explainHealth(webhook)
  const to: string = `/w/${workspaceId}/configuration/webhooks/${id}`
  return (
    <Link to={to} className={classes.row}>
      <Icon size={20} stroke={1.5} aria-hidden className={classes.icon} />
      <div className={classes.text}>
        <Group gap="xs">
          <Text component="bdi" fw={600}>
            {name}
          </Text>
          <HealthBadge webhook={webhook} />
          {state === 'active' ? <CreatorBadge status={creatorStatus} /> : null}
        </Group>
        <Text size="sm" c="dimmed" className={classes.url}>
          {url}
        </Text>
        <Text size="sm" c="dimmed" component="div">
          <LastDelivery webhook={webhook} /> ·{' '}
          {events.length === webhookEventTypes.length ? 'all events' : pluralize(events.length, 'event')}
        </Text>
        {explanation === null ? null : (
          <Text size="sm" component="div" mt={4}>
            {explanation}
          </Text>
        )}
      </div>
    </Link>
  )
}
