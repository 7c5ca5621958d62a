import { Alert, Button, Group, Stack } from '@mantine/core'
import { IconAlertTriangle, IconSend, IconWebhookOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { isMissing } from '../../api/error.ts'
import { useHasPermission, useWorkspace } from '../../api/me.ts'
import type { ReadScreen } from '../../app/early-data.ts'
import { parseFilters } from '../../app/filter-parsers.ts'
import { Card } from '../../components/card.tsx'
import { EmptyState, ErrorState, LoadingRows } from '../../components/empty-error-loading.tsx'
import { WriteGuard } from '../../components/endpoint-state.tsx'
import { Forbidden } from '../../components/forbidden.tsx'
import { loadOnOpen } from '../../components/load-on-open.tsx'
import { Screen } from '../../components/screen.tsx'
import { Deliveries } from './webhooks/deliveries.tsx'
import { deliveriesQuery } from './webhooks/delivery-data.ts'
import { deliveryFilterParsers } from './webhooks/delivery-filters.ts'
import { explainHealth, HealthBadge } from './webhooks/health.tsx'
import { SecretDialog, type ShownSecret } from './webhooks/secret-dialog.tsx'
import { useWebhookActions } from './webhooks/use-webhook-actions.tsx'
import { type Webhook, webhookQuery } from './webhooks/webhook-data.ts'
import { WebhookFacts } from './webhooks/webhook-facts.tsx'
import { WebhookMenu } from './webhooks/webhook-menu.tsx'

const loadDialogs = () => import('./webhooks/webhook-dialogs.tsx')
const WebhookDialogs = loadOnOpen(
  async () => (await loadDialogs()).WebhookDialogs,
  ({ opened }) => opened !== null,
  ({ close }) => close(),
)

interface Params {
  readonly workspaceId: string
  readonly id: string
}

/** Reads what the screen shows first. */
export const earlyReads: { readonly WebhookScreen: ReadScreen<Params> } = {
  WebhookScreen: ({ client, params: { workspaceId, id }, search }) => [
    client.prefetchQuery(webhookQuery(workspaceId, id)),
    client.prefetchInfiniteQuery(
      deliveriesQuery(workspaceId, id, parseFilters(deliveryFilterParsers, search)),
    ),
  ],
}

/** One webhook: its health, what was sent to it, and what can be done with it. */
export function WebhookScreen() {
  const { id } = useParams({ strict: false }) as { id: string }
  if (useHasPermission('webhooks.manage')) return <WebhookLoader key={id} id={id} />
  return (
    <Screen title="Webhook">
      <Forbidden permission="webhooks.manage" />
    </Screen>
  )
}

function useBackToList() {
  const { id: workspaceId } = useWorkspace()
  return { to: `/w/${workspaceId}/configuration/webhooks`, label: 'Webhooks' }
}

function WebhookLoader({ id }: { readonly id: string }) {
  const { id: workspaceId } = useWorkspace()
  const { data, error, refetch } = useQuery(webhookQuery(workspaceId, id))
  const back = useBackToList()
  if (data) return <WebhookDetails webhook={data} />
  return (
    <Screen title="Webhook" back={back}>
      {isMissing(error) ? (
        <EmptyState icon={IconWebhookOff} title="Webhook not found">
          It may have been deleted, or the link may be incomplete.
        </EmptyState>
      ) : error ? (
        <ErrorState error={error} retry={() => void refetch()} />
      ) : (
        <LoadingRows rows={3} height={120} />
      )}
    </Screen>
  )
}

function WebhookDetails({ webhook }: { readonly webhook: Webhook }) {
  const navigate = useNavigate()
  const back = useBackToList()
  const { pause, resume, remove } = useWebhookActions(webhook)
  const [opened, setOpened] = useState<'edit' | 'rotate' | 'resend' | 'test' | null>(null)
  const [secret, setSecret] = useState<ShownSecret | null>(null)
  return (
    <Screen
      title={webhook.name}
      heading={<bdi>{webhook.name}</bdi>}
      back={back}
      actions={
        <>
          <WriteGuard endpoint={null}>
            <Button
              variant="default"
              leftSection={<IconSend size={16} aria-hidden />}
              onClick={() => setOpened('test')}
            >
              Send a test
            </Button>
          </WriteGuard>
          <WebhookMenu
            webhook={webhook}
            edit={() => setOpened('edit')}
            rotate={() => setOpened('rotate')}
            resendSince={() => setOpened('resend')}
            pause={pause}
            resume={resume}
            remove={() => remove(() => void navigate({ to: back.to, replace: true }))}
          />
        </>
      }
    >
      <Stack gap="md">
        <HealthAlert webhook={webhook} resume={resume} />
        <Card title="Details" actions={<HealthBadge webhook={webhook} />}>
          <WebhookFacts webhook={webhook} />
        </Card>
        <section aria-label="Deliveries">
          <Deliveries webhook={webhook} />
        </section>
      </Stack>
      <WebhookDialogs webhook={webhook} opened={opened} close={() => setOpened(null)} onSecret={setSecret} />
      <SecretDialog shown={secret} close={() => setSecret(null)} />
    </Screen>
  )
}

interface HealthAlertProps {
  readonly webhook: Webhook
  /** Null if the user must not resume it. */
  readonly resume: (() => void) | null
}

/** Why nothing is sent, or why it fails, with what to do. */
function HealthAlert({ webhook, resume }: HealthAlertProps) {
  const explanation = explainHealth(webhook)
  if (explanation === null) return null
  const isActive = webhook.state === 'active'
  return (
    <Alert
      color={webhook.health === 'disabled' ? 'red' : 'yellow'}
      icon={<IconAlertTriangle size={20} aria-hidden />}
    >
      {explanation}
      {isActive || resume === null || webhook.stateReason === 'removed' ? null : (
        <Group mt="xs">
          <WriteGuard endpoint={null}>
            <Button size="sm" variant="default" onClick={resume}>
              {webhook.health === 'unconfirmed' ? 'Confirm' : 'Resume'}
            </Button>
          </WriteGuard>
        </Group>
      )}
    </Alert>
  )
}
