import { Alert, Anchor } from '@mantine/core'
import { needsConfirmation } from '@reeve/core'
import { IconWebhookOff } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useWorkspace } from '../../api/me.ts'
import { pluralize } from '../../format/number.ts'
import classes from './home.module.css'
import type { OverviewSection } from './overview.ts'

type Webhook = OverviewSection<'webhooks'>[number]

/** What is wrong, after the name. */
function describeProblem({ state, stateReason, creatorStatus }: Webhook): string {
  if (needsConfirmation(stateReason)) return 'sends nothing until the owner or an operator confirms it'
  if (state === 'active' && creatorStatus !== 'member') return 'still sends although its creator is gone'
  if (state === 'paused') return 'is paused because its creator lost access'
  return state === 'active' ? 'has been failing for more than an hour' : 'is disabled'
}

/** Webhooks that fail, that were disabled because they did, that a restore has paused, whose creator is gone, and that were paused because the creator lost access. */
export function WebhooksAlert({ webhooks }: { readonly webhooks: OverviewSection<'webhooks'> }) {
  const { id: workspaceId } = useWorkspace()
  return (
    <Alert
      color="yellow"
      mb="md"
      icon={<IconWebhookOff size={20} aria-hidden />}
      title={`${pluralize(webhooks.length, 'webhook needs', 'webhooks need')} attention`}
    >
      <ul className={classes.endpoints}>
        {webhooks.map((webhook) => {
          const to: string = `/w/${workspaceId}/configuration/webhooks/${webhook.id}`
          return (
            <li key={webhook.id}>
              <Anchor component={Link} to={to} inherit>
                <bdi>{webhook.name}</bdi>
              </Anchor>{' '}
              {describeProblem(webhook)}
            </li>
          )
        })}
      </ul>
    </Alert>
  )
}
