import { Button } from '@mantine/core'
import { IconPlus, IconWebhook } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useHasPermission, useWorkspace } from '../../api/me.ts'
import type { ReadScreen } from '../../app/early-data.ts'
import { EmptyState, ErrorState, LoadingRows } from '../../components/empty-error-loading.tsx'
import { WriteGuard } from '../../components/endpoint-state.tsx'
import { Forbidden } from '../../components/forbidden.tsx'
import { loadOnOpen } from '../../components/load-on-open.tsx'
import { RowList } from '../../components/row-list.tsx'
import { Screen } from '../../components/screen.tsx'
import { notifySuccess } from '../../components/toast.tsx'
import { useOpenFromUrl } from '../../components/use-open-from-url.ts'
import { SecretDialog, type ShownSecret } from './webhooks/secret-dialog.tsx'
import { webhooksQuery } from './webhooks/webhook-data.ts'
import { WebhookRow } from './webhooks/webhook-row.tsx'

const WebhookForm = loadOnOpen(
  async () => (await import('./webhooks/webhook-form.tsx')).WebhookForm,
  ({ edited }) => edited !== null,
  ({ close }) => close(),
)

/** Reads what the screen shows first. */
export const earlyReads: { readonly Webhooks: ReadScreen } = {
  Webhooks: ({ client, params: { workspaceId } }) => [client.prefetchQuery(webhooksQuery(workspaceId))],
}

/** The webhooks of a workspace. */
export function Webhooks() {
  if (useHasPermission('webhooks.manage')) return <WebhooksContent />
  return (
    <Screen title="Webhooks">
      <Forbidden permission="webhooks.manage" />
    </Screen>
  )
}

function WebhooksContent() {
  const { id } = useWorkspace()
  const webhooks = useQuery(webhooksQuery(id))
  const [isCreating, setIsCreating] = useState(false)
  const [secret, setSecret] = useState<ShownSecret | null>(null)
  const openForm = () => setIsCreating(true)
  useOpenFromUrl(null, { new: openForm })
  const newButton = (label: string) => (
    <WriteGuard endpoint={null}>
      <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={openForm}>
        {label}
      </Button>
    </WriteGuard>
  )
  const renderBody = () => {
    if (webhooks.isError && !webhooks.data)
      return <ErrorState error={webhooks.error} retry={() => void webhooks.refetch()} />
    if (!webhooks.data) return <LoadingRows rows={3} height={100} />
    if (webhooks.data.length === 0)
      return (
        <EmptyState
          icon={IconWebhook}
          title="No webhooks yet"
          action={newButton('Create your first webhook')}
        >
          A webhook tells another program as soon as something happens here: a bot or your website, or people
          in a Discord channel. You choose the events and the URL.
        </EmptyState>
      )
    return (
      <RowList label="Webhooks" rows={webhooks.data} rowKey={(webhook) => webhook.id}>
        {(webhook) => <WebhookRow webhook={webhook} />}
      </RowList>
    )
  }
  return (
    <Screen
      title="Webhooks"
      description="Webhooks send a request to a URL of yours, or a message to a Discord channel, when something happens."
      actions={newButton('New webhook')}
    >
      {renderBody()}
      <WebhookForm
        edited={isCreating ? 'new' : null}
        close={() => setIsCreating(false)}
        onSaved={({ webhook, secret: newSecret }) => {
          setIsCreating(false)
          if (newSecret === null) notifySuccess(`Created “${webhook.name}”.`)
          else setSecret({ name: webhook.name, secret: newSecret, previousUntil: null })
        }}
      />
      <SecretDialog shown={secret} close={() => setSecret(null)} />
    </Screen>
  )
}
