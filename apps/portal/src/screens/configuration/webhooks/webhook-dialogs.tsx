import { ResendSince } from './resend-since.tsx'
import { RotateSecret } from './rotate-secret.tsx'
import type { ShownSecret } from './secret-dialog.tsx'
import { TestWebhook } from './test-webhook.tsx'
import type { Webhook } from './webhook-data.ts'
import { WebhookForm } from './webhook-form.tsx'

interface Props {
  readonly webhook: Webhook
  readonly opened: 'edit' | 'rotate' | 'resend' | 'test' | null
  readonly close: () => void
  /** Shows a new secret. */
  readonly onSecret: (shown: ShownSecret) => void
}

/** The dialogs of a webhook. */
export const WebhookDialogs = ({ webhook, opened, close, onSecret }: Props) => (
  <>
    <WebhookForm edited={opened === 'edit' ? webhook : null} close={close} onSaved={close} />
    <RotateSecret
      webhook={opened === 'rotate' ? webhook : null}
      close={close}
      onRotated={(shown) => {
        close()
        onSecret(shown)
      }}
    />
    <ResendSince webhook={opened === 'resend' ? webhook : null} close={close} />
    <TestWebhook webhook={opened === 'test' ? webhook : null} close={close} />
  </>
)
