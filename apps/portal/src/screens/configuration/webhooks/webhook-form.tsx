import { Input, SegmentedControl, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { type WebhookEvent, webhookEventTypes } from '@reeve/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useWorkspace } from '../../../api/me.ts'
import { Dialog } from '../../../components/dialog.tsx'
import { DialogForm } from '../../../forms/dialog-form.tsx'
import { EditConflict } from '../../../forms/edit-conflict.tsx'
import { plainTextProps } from '../../../forms/text-fields.tsx'
import { type OtherChange, useEditConflict } from '../../../forms/use-edit-conflict.ts'
import { useSubmit } from '../../../forms/use-submit.ts'
import { useVersionedSave } from '../../../forms/use-versioned-save.ts'
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
  webhookQuery,
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

/** The events as a field of the form. */
const joinEvents = (events: readonly WebhookEvent[]): string => events.join(', ')
const splitEvents = (text: string): readonly WebhookEvent[] =>
  webhookEventTypes.filter((type) => text.split(', ').includes(type))

/** A webhook as fields of the form. Without its token, the URL of a Discord webhook cannot be sent back. */
const toValues = ({ name, kind, url, events }: Webhook) => ({
  name,
  url: kind === 'standard' ? url : '',
  events: joinEvents(events),
})
type Values = ReturnType<typeof toValues>

/** The channel, which the form does not contain. */
const listOtherChanges = (before: Webhook, after: Webhook): readonly OtherChange[] =>
  before.kind === 'standard' || before.url === after.url
    ? []
    : [{ label: labels.url, before: before.url, after: after.url }]

interface FieldsProps extends Pick<Props, 'onSaved'> {
  /** Null for a new one. */
  readonly webhook: Webhook | null
}

function Fields({ webhook, onSaved }: FieldsProps) {
  const client = useQueryClient()
  const workspace = useWorkspace()
  const workspaceId = workspace.id
  const [kind, setKind] = useState<WebhookKind>(webhook?.kind ?? 'standard')
  const form = useForm({
    mode: 'uncontrolled',
    initialValues:
      webhook === null
        ? {
            name: '',
            url: '',
            events: joinEvents(INITIAL_EVENTS.filter((type) => canViewEvent(workspace, type))),
          }
        : toValues(webhook),
    validate: { events: (text) => (text === '' ? 'Select at least one event.' : null) },
  })
  const events = splitEvents(form.useWatchValue('events'))
  const conflict = useEditConflict(form, labels)
  const saveWebhook = useVersionedSave({
    opened: webhook,
    readLatest: async () =>
      webhook && (await client.fetchQuery({ ...webhookQuery(workspaceId, webhook.id), staleTime: 0 })),
    report: (before, theirs) =>
      before &&
      theirs &&
      conflict.report('webhook', toValues(before), toValues(theirs), listOtherChanges(before, theirs)),
  })
  const write = async (edited: Webhook | null, values: Values): Promise<ChangedWebhook> => {
    const { name, url } = values
    if (edited === null) {
      const input = { name, url, events: splitEvents(values.events) }
      return withLostResponseWarning(createWebhook(workspaceId, input), LOST_RESPONSE_WARNING)
    }
    const before = toValues(edited)
    const changes = {
      ...(name !== before.name && { name }),
      ...(url !== before.url && { url }),
      ...(values.events !== before.events && { events: splitEvents(values.events) }),
    }
    if (Object.keys(changes).length === 0) return { webhook: edited, secret: null }
    return updateWebhook(workspaceId, edited, changes)
  }
  const submit = useSubmit(form, labels, async (values) => {
    const saved = await saveWebhook((edited) => write(edited, values)).finally(() =>
      client.invalidateQueries({ queryKey: webhooksKey(workspaceId) }),
    )
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
          form.setFieldValue('events', joinEvents(next))
          form.clearFieldError('events')
        }}
        error={typeof error === 'string' ? error : undefined}
      />
      <BodyPreview events={events} kind={kind} />
      <EditConflict {...conflict} />
    </DialogForm>
  )
}
