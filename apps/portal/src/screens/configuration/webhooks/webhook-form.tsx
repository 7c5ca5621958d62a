import { Input, SegmentedControl, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { WebhookEvent } from '@reeve/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useWorkspace } from '../../../api/me.ts'
import { Dialog } from '../../../components/dialog.tsx'
import { DialogForm } from '../../../forms/dialog-form.tsx'
import { plainTextProps } from '../../../forms/text-fields.tsx'
import { useSubmit } from '../../../forms/use-submit.ts'
import { withLostResponseWarning } from '../api-keys/lost-response-warning.ts'
import { BodyPreview } from './body-preview.tsx'
import { EventChoice } from './event-choice.tsx'
import { canViewEvent } from './event-labels.ts'
import {
  type ChangedWebhook,
  createWebhook,
  updateWebhook,
  type Webhook,
  type WebhookKind,
  webhooksKey,
} from './webhook-data.ts'

interface Props {
  /** The webhook to change, or `new`; null while the dialog is closed. */
  readonly edited: Webhook | 'new' | null
  readonly close: () => void
  readonly onSaved: (saved: ChangedWebhook) => void
}

/** The form that creates or changes a webhook. */
export const WebhookForm = ({ edited, close, onSaved }: Props) => (
  <Dialog
    opened={edited !== null}
    onClose={close}
    title={edited === null || edited === 'new' ? 'New webhook' : `Change “${edited.name}”`}
    size="lg"
    closeOnClickOutside={false}
  >
    {edited === null ? null : <Fields webhook={edited === 'new' ? null : edited} onSaved={onSaved} />}
  </Dialog>
)

const labels = { name: 'Name', url: 'URL', events: 'Events' }

const LOST_RESPONSE_WARNING =
  'The webhook may have been created anyway. Check the list and delete it before you try again.'

/** What most people want to hear of first. */
const INITIAL_EVENTS: readonly WebhookEvent[] = ['ban.created', 'ban.ended']

const urlDescriptions: Readonly<Record<WebhookKind, string>> = {
  standard: 'The https URL of your program.',
  discord:
    'In Discord: Edit channel → Integrations → Webhooks → New webhook → Copy webhook URL. It is stored encrypted, because anybody who has it can post to the channel.',
}

interface FieldsProps extends Pick<Props, 'onSaved'> {
  /** Null for a new one. */
  readonly webhook: Webhook | null
}

function Fields({ webhook, onSaved }: FieldsProps) {
  const client = useQueryClient()
  const workspace = useWorkspace()
  const workspaceId = workspace.id
  const [kind, setKind] = useState<WebhookKind>(webhook?.kind ?? 'standard')
  const [events, setEvents] = useState<readonly WebhookEvent[]>(
    webhook?.events ?? INITIAL_EVENTS.filter((type) => canViewEvent(workspace, type)),
  )
  // Without its token, the URL of a Discord webhook cannot be sent back.
  const initialUrl = webhook?.kind === 'standard' ? webhook.url : ''
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { name: webhook?.name ?? '', url: initialUrl, events: '' },
    validate: { events: () => (events.length === 0 ? 'Select at least one event.' : null) },
  })
  const submit = useSubmit(form, labels, async ({ name, url }) => {
    const saved = await (webhook === null
      ? withLostResponseWarning(createWebhook(workspaceId, { name, url, events }), LOST_RESPONSE_WARNING)
      : updateWebhook(workspaceId, webhook, { name, events, ...(url !== initialUrl && { url }) })
    ).finally(() => client.invalidateQueries({ queryKey: webhooksKey(workspaceId) }))
    onSaved(saved)
  })
  const error = form.errors.events
  return (
    <DialogForm
      submit={submit}
      submitLabel={webhook === null ? 'Create webhook' : 'Save'}
      gap="lg"
      writesTo={null}
    >
      {webhook === null ? (
        <Input.Wrapper label="Send to" labelElement="div">
          <SegmentedControl
            aria-label="Send to"
            fullWidth
            mt={4}
            value={kind}
            onChange={(next) => setKind(next as WebhookKind)}
            data={[
              { value: 'standard', label: 'A program' },
              { value: 'discord', label: 'A Discord channel' },
            ]}
          />
        </Input.Wrapper>
      ) : null}
      <TextInput
        label={labels.name}
        description="What it is for, such as “Ban log”."
        name="name"
        autoComplete="off"
        maxLength={100}
        data-autofocus
        key={form.key('name')}
        {...form.getInputProps('name')}
      />
      <TextInput
        label={labels.url}
        description={
          webhook?.kind === 'discord' ? `Leave it empty to keep ${webhook.url}` : urlDescriptions[kind]
        }
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        name="url"
        type="url"
        inputMode="url"
        {...plainTextProps}
        autoComplete="off"
        key={form.key('url')}
        {...form.getInputProps('url')}
      />
      <EventChoice
        selected={events}
        onSelect={(next) => {
          setEvents(next)
          form.clearFieldError('events')
        }}
        error={typeof error === 'string' ? error : undefined}
      />
      <BodyPreview events={events} kind={kind} />
    </DialogForm>
  )
}
