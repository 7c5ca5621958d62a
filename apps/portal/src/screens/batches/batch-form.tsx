import { Button, Group, Select, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { useWorkspace } from '../../api/me.ts'
import { BlockedAlert, WriteGuard } from '../../components/endpoint-state.tsx'
import { notifySuccess } from '../../components/toast.tsx'
import { pluralize } from '../../format/number.ts'
import { FormAlert } from '../../forms/form-alert.tsx'
import { useSubmit } from '../../forms/use-submit.ts'
import {
  type Batch,
  type BatchPreview,
  type BatchRequest,
  formatAction,
  formatCounts,
  previewBatch,
  submitBatch,
} from './batch-data.ts'
import { BeyondUndo } from './beyond-undo.tsx'
import { ResultTable } from './result-table.tsx'

/** Shows what a batch would do, and then starts it. */
export function BatchPreviewForm<Values extends Record<string, string>>(props: {
  readonly initialValues: Values
  readonly labels: Readonly<Record<keyof Values & string, string>>
  readonly toRequest: (values: Values) => BatchRequest
  readonly onStarted: (batch: Batch) => void
  readonly children: (form: ReturnType<typeof useForm<Values>>) => ReactNode
  /** Shown below the preview. */
  readonly renderMore?: (preview: BatchPreview, values: Values) => ReactNode
}) {
  const { initialValues, labels, toRequest, onStarted, children, renderMore } = props
  const { id: workspaceId } = useWorkspace()
  const [preview, setPreview] = useState<{ readonly request: string; readonly content: BatchPreview } | null>(
    null,
  )
  const form = useForm<Values>({ mode: 'controlled', initialValues })
  const request = JSON.stringify(toRequest(form.values))
  const isPreviewed = preview?.request === request
  const canStart = isPreviewed && preview.content.total !== '0'
  const submit = useSubmit(form, labels, async (values) => {
    const current = toRequest(values)
    if (!canStart) {
      const content = await previewBatch(workspaceId, current)
      setPreview({ request: JSON.stringify(current), content })
      return
    }
    const batch = await submitBatch(workspaceId, current)
    setPreview(null)
    notifySuccess('Started the batch.')
    onStarted(batch)
  })
  return (
    <form onSubmit={submit.onSubmit} noValidate>
      <Stack gap="md">
        {children(form)}
        <div aria-live="polite">
          {isPreviewed ? (
            <Stack gap="md">
              <Preview preview={preview.content} />
              {renderMore?.(preview.content, form.values)}
            </Stack>
          ) : null}
        </div>
        <BlockedAlert endpoint="moderation" />
        <FormAlert>{submit.alert}</FormAlert>
        <Group>
          <WriteGuard endpoint="moderation">
            <Button type="submit" color={canStart ? 'red' : 'green'} loading={submit.isBusy}>
              {canStart ? `Start: ${pluralize(preview.content.total, 'target')}` : 'Preview'}
            </Button>
          </WriteGuard>
        </Group>
      </Stack>
    </form>
  )
}

function Preview({ preview }: { readonly preview: BatchPreview }) {
  const actions = preview.actions.map(({ action, count }) => `${formatAction(action)}: ${count}`).join(' · ')
  return (
    <Stack gap="xs">
      <Text fw={600}>
        {pluralize(preview.total, 'target')}: {formatCounts(preview, 'planned')}
      </Text>
      <Text size="sm" c="dimmed">
        {actions}
      </Text>
      <ResultTable label="Preview" results={preview.results} isPreview />
    </Stack>
  )
}

/** The form for undoing what somebody did. @param actorName the account or API key, if a link names it */
export function UndoForm(props: {
  readonly actors: ReadonlyMap<string, string>
  readonly actorId: string
  /** In the time zone of the browser, if a link names it. */
  readonly since: string
  readonly onStarted: (batch: Batch) => void
}) {
  const { actors, actorId, since: initialSince, onStarted } = props
  const options = [...actors].map(([value, label]) => ({ value, label }))
  return (
    <BatchPreviewForm
      initialValues={{ actorUserId: actorId, since: initialSince, reason: '' }}
      labels={{ actorUserId: 'Moderator', since: 'Since', reason: 'Reason' }}
      toRequest={({ actorUserId = '', since = '', reason = '' }) => ({
        action: 'undo',
        actorUserId,
        since: since === '' ? '' : new Date(since).toISOString(),
        reason,
      })}
      onStarted={onStarted}
      renderMore={(preview, { actorUserId = '', since = '' }) => (
        <BeyondUndo preview={preview} actorId={actorUserId} since={since} />
      )}
    >
      {(form) => (
        <>
          <Select
            label="Moderator or API key"
            data={options}
            searchable
            nothingFoundMessage="Nobody with this name has changed a case recently. Open their changes in the audit log to undo them."
            {...form.getInputProps('actorUserId')}
          />
          <TextInput type="datetime-local" label="Since" {...form.getInputProps('since')} />
          <Textarea label="Reason" autosize minRows={2} {...form.getInputProps('reason')} />
          <Text size="sm" c="dimmed">
            Cases that they created since then are revoked, and what they changed gets its earlier values.
            Appeals and requests for approval that this closed are open again. What others have changed since
            is left alone, and so is everything but cases. A redaction cannot be undone.
          </Text>
        </>
      )}
    </BatchPreviewForm>
  )
}
