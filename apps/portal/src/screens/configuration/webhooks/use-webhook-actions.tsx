import { Text } from '@mantine/core'
import { canConfirmWebhooks } from '@reeve/core'
import { useQueryClient } from '@tanstack/react-query'
import { useMe, useWorkspace } from '../../../api/me.ts'
import { openConfirmDialog } from '../../../components/confirm-dialog.tsx'
import { notifyError, notifySuccess } from '../../../components/toast.tsx'
import { deleteWebhook, pauseWebhook, resumeWebhook, type Webhook, webhooksKey } from './webhook-data.ts'

interface WebhookActions {
  /** Stops deliveries until it is resumed. */
  readonly pause: () => void
  /** Resumes a paused or disabled webhook, or confirms one after a restore; null if the user must not confirm it. */
  readonly resume: (() => void) | null
  /** Deletes it after confirmation. */
  readonly remove: (onDeleted: () => void) => void
}

/** What can be done with a webhook without a form. */
export function useWebhookActions(webhook: Webhook): WebhookActions {
  const client = useQueryClient()
  const { id: workspaceId, rank } = useWorkspace()
  const { isOperator } = useMe()
  const isUnconfirmed = webhook.health === 'unconfirmed'
  const refresh = () => client.invalidateQueries({ queryKey: webhooksKey(workspaceId) })
  const run = (change: typeof pauseWebhook, message: string) => () => {
    const send = async () => {
      await change(workspaceId, webhook)
      await refresh()
      notifySuccess(message)
    }
    send().catch(notifyError)
  }
  return {
    pause: run(pauseWebhook, `Paused “${webhook.name}”.`),
    resume:
      isUnconfirmed && !canConfirmWebhooks({ rank, isOperator })
        ? null
        : run(resumeWebhook, `${isUnconfirmed ? 'Confirmed' : 'Resumed'} “${webhook.name}”.`),
    remove: (onDeleted) =>
      openConfirmDialog({
        title: `Delete the webhook “${webhook.name}”?`,
        children: (
          <Text size="sm">
            Nothing more is sent to {webhook.url}, and its deliveries are deleted with it. You cannot undo
            this.
          </Text>
        ),
        confirmLabel: 'Delete webhook',
        isDestructive: true,
        run: async () => {
          await deleteWebhook(workspaceId, webhook)
          onDeleted()
          await refresh()
          notifySuccess(`Deleted “${webhook.name}”.`)
        },
      }),
  }
}
