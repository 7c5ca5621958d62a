import { Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { DAY_MS, DELIVERY_DAYS, MINUTE_MS } from '@reeve/core'
import { useQueryClient } from '@tanstack/react-query'
import { useWorkspace } from '../../../api/me.ts'
import { Dialog } from '../../../components/dialog.tsx'
import { notifySuccess } from '../../../components/toast.tsx'
import { getNow } from '../../../format/clock.ts'
import { timeZoneName } from '../../../format/locale.ts'
import { pluralize } from '../../../format/number.ts'
import { DialogForm } from '../../../forms/dialog-form.tsx'
import { useSubmit } from '../../../forms/use-submit.ts'
import { resendSince } from './delivery-data.ts'
import { type Webhook, webhooksKey } from './webhook-data.ts'

interface Props {
  /** The webhook; null while the dialog is closed. */
  readonly webhook: Webhook | null
  readonly close: () => void
}

/** Sends the deliveries since a time again. */
export const ResendSince = ({ webhook, close }: Props) => (
  <Dialog
    opened={webhook !== null}
    onClose={close}
    title={webhook ? `Resend to “${webhook.name}”` : ''}
    closeOnClickOutside={false}
  >
    {webhook ? <Fields webhook={webhook} close={close} /> : null}
  </Dialog>
)

const labels = { since: 'Since' }

/** A time for a field of the browser, in its time zone: `2026-03-01T18:00`. */
function toLocalInput(at: number): string {
  const date = new Date(at)
  return new Date(at - date.getTimezoneOffset() * MINUTE_MS).toISOString().slice(0, 16)
}

function Fields({ webhook, close }: { readonly webhook: Webhook; readonly close: () => void }) {
  const client = useQueryClient()
  const { id: workspaceId } = useWorkspace()
  // Since it fails, or for a day.
  const initialSince = webhook.failingSince === null ? getNow() - DAY_MS : Date.parse(webhook.failingSince)
  const form = useForm({ mode: 'uncontrolled', initialValues: { since: toLocalInput(initialSince) } })
  const submit = useSubmit(form, labels, async ({ since }) => {
    const at = new Date(since)
    const count = await resendSince(
      workspaceId,
      webhook,
      Number.isNaN(at.getTime()) ? since : at.toISOString(),
    )
    await client.invalidateQueries({ queryKey: webhooksKey(workspaceId) })
    close()
    notifySuccess(
      count === 0
        ? 'There are no failed deliveries since then.'
        : `${pluralize(count, 'delivery is', 'deliveries are')} sent again.`,
    )
  })
  return (
    <DialogForm submit={submit} submitLabel="Resend" writesTo={null}>
      <Text size="sm">
        Sends every delivery again that has failed for good, with the same <code>webhook-id</code>, so that
        the receiver can skip what it has seen.
      </Text>
      <TextInput
        type="datetime-local"
        label={labels.since}
        description={`In your time zone, ${timeZoneName}. Deliveries are kept for ${DELIVERY_DAYS} days.`}
        name="since"
        data-autofocus
        key={form.key('since')}
        {...form.getInputProps('since')}
      />
    </DialogForm>
  )
}
