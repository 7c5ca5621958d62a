import { Button, Group, Select, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { FieldProblem } from '@reeve/core'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { ApiError } from '../../api/error.ts'
import { useWorkspace } from '../../api/me.ts'
import { BlockedAlert, WriteGuard } from '../../components/endpoint-state.tsx'
import { notifySuccess } from '../../components/toast.tsx'
import { UnsavedText } from '../../components/unsaved-text.tsx'
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
  toPlanKey,
} from './batch-data.ts'
import { BeyondUndo } from './beyond-undo.tsx'
import { ResultTable } from './result-table.tsx'

const CHANGED =
  'The batch would now do something else. Nothing has been done yet: check the preview, then start it again.'

/** Shows what a batch would do, and then starts it. */
export function BatchPreviewForm<Values extends Record<string, string>>(props: {
  readonly initialValues: Values
  readonly labels: Readonly<Record<keyof Values & string, string>>
  readonly toRequest: (values: Values) => BatchRequest
  /** What is missing before the server is asked. */
  readonly findProblems?: (values: Values) => readonly FieldProblem[]
  readonly onStarted: (batch: Batch) => void
  readonly children: (form: ReturnType<typeof useForm<Values>>) => ReactNode
  /** Shown below the preview. */
  readonly renderMore?: (preview: BatchPreview, values: Values) => ReactNode
}) {
  const { initialValues, labels, toRequest, findProblems, onStarted, children, renderMore } = props
  const { id: workspaceId } = useWorkspace()
  const [preview, setPreview] = useState<{ readonly request: string; readonly content: BatchPreview } | null>(
    null,
  )
  const form = useForm<Values>({ mode: 'controlled', initialValues })
  const request = JSON.stringify(toRequest(form.values))
  const isPreviewed = preview?.request === request
  const canStart = isPreviewed && canChange(preview.content)
  const submit = useSubmit(form, labels, async (values) => {
    const details = findProblems?.(values) ?? []
    if (details.length > 0) throw new ApiError(400, 'invalid_request', '', { details })
    const current = toRequest(values)
    const planned = canStart ? preview.content : null
    const planKey = planned && toPlanKey(planned)
    const latest = planned && planKey === '' ? planned : await previewBatch(workspaceId, current)
    const isSame = planKey === toPlanKey(latest)
    if (!isSame) setPreview({ request: JSON.stringify(current), content: latest })
    if (planned === null) return
    if (!isSame) throw new ApiError(409, 'conflict', CHANGED)
    // What changes from now on, the server leaves alone.
    const { sequence } = latest
    const batch = await submitBatch(workspaceId, { ...current, ...(sequence !== null && { sequence }) })
    setPreview(null)
    form.reset()
    notifySuccess('Started the batch.')
    onStarted(batch)
  })
  const listTexts = () => {
    const values = form.getValues()
    return typedFields.flatMap((field) => {
      const text = values[field] ?? ''
      return text === (initialValues[field] ?? '') ? [] : [{ label: labels[field] ?? '', text }]
    })
  }
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
      <UnsavedText
        hasText={listTexts().length > 0}
        readTexts={listTexts}
        discard={form.reset}
        isSaving={submit.isBusy}
        isTab
      />
    </form>
  )
}

/** What is typed or pasted, in any of the forms. */
const typedFields = ['userIds', 'recordIds', 'reason'] as const

/** Whether a batch would change anything, as far as its preview knows: it has only the first results. */
const canChange = ({ total, results, succeeded }: BatchPreview): boolean =>
  succeeded !== '0' || Number(total) > results.length

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

/** What reversing an undo does not bring back. */
const RemovedFiles = ({ preview }: { readonly preview: BatchPreview }) =>
  preview.actions.some(({ action }) => action === 'attach_file') ? (
    <Text size="sm" fw={600}>
      Files that they attached to cases of others are removed for good. Reversing the undo does not bring them
      back.
    </Text>
  ) : null

/** The form for undoing what somebody did. */
export function UndoForm(props: {
  readonly actors: ReadonlyMap<string, string>
  /** The account or API key, if a link names it. */
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
        <>
          <RemovedFiles preview={preview} />
          <BeyondUndo preview={preview} actorId={actorUserId} since={since} />
        </>
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
