import { Select, Textarea } from '@mantine/core'
import { DAY_SECONDS, type FieldProblem, HOUR_SECONDS, MAX_BATCH_TARGETS } from '@reeve/core'
import { useQuery } from '@tanstack/react-query'
import { useWorkspace } from '../../api/me.ts'
import { LoadingRows } from '../../components/empty-error-loading.tsx'
import { pluralize } from '../../format/number.ts'
import { useNow } from '../../format/use-now.ts'
import { LimitNote } from '../moderation/action/limit-note.tsx'
import { useOwnLimits } from '../moderation/action/own-limits.ts'
import { parseCaseReference } from '../moderation/filters/resolve-text.ts'
import { templatesQuery } from '../moderation/templates/queries.ts'
import { type Batch, type BatchRequest, type BatchStart, formatAction } from './batch-data.ts'
import { BatchPreviewForm } from './batch-form.tsx'
import { previewBatchLimits } from './batch-limits.ts'
import { convertTargets, countUnused, splitIds, type TargetField } from './batch-targets.ts'

const createActions = ['ban', 'mute', 'kick', 'warn', 'note'] as const
const playerActions = [...createActions, 'unban', 'unmute'] as const
const recordActions = ['revoke', 'comment', 'acknowledge'] as const

const includes = (actions: readonly string[], action: string): boolean => actions.includes(action)
/** Where the targets of an action are entered. */
const selectTargetField = (action: string): TargetField =>
  includes(recordActions, action) ? 'recordIds' : 'userIds'
const isSanction = (action: string): boolean => action === 'ban' || action === 'mute'

/** The action of a template whose ladder decides it for each player. */
const BY_LADDER = 'ladder'

const durations = [
  { value: 'permanent', label: 'Permanent' },
  { value: String(HOUR_SECONDS), label: '1 hour' },
  { value: String(DAY_SECONDS), label: '1 day' },
  { value: String(7 * DAY_SECONDS), label: '7 days' },
  { value: String(30 * DAY_SECONDS), label: '30 days' },
]

const labels = {
  action: 'Action',
  templateId: 'Template',
  userIds: 'Players',
  recordIds: 'Cases',
  reason: 'Reason',
  value: 'Comment',
  durationSeconds: 'Duration',
}

function toRequest({
  action = '',
  templateId = '',
  durationSeconds = '',
  reason = '',
  ...targets
}: Readonly<Record<string, string>>): BatchRequest {
  const targetField = selectTargetField(action)
  const hasTemplate = templateId !== '' && (action === BY_LADDER || includes(createActions, action))
  return {
    ...(action !== BY_LADDER && { action }),
    ...(hasTemplate && { templateId }),
    [targetField]: splitIds(targets[targetField] ?? '').join(','),
    ...(action === 'comment' ? { value: reason } : {}),
    ...(action === 'comment' || action === 'acknowledge' || (hasTemplate && reason === '') ? {} : { reason }),
    ...(isSanction(action) && { durationSeconds }),
  }
}

/** An action without a duration is permanent for the server, so it is chosen here. The number of a case is neither its ID nor a player. */
function findProblems({
  action = '',
  durationSeconds,
  ...targets
}: Readonly<Record<string, string>>): FieldProblem[] {
  const field = selectTargetField(action)
  const caseNumber = splitIds(targets[field] ?? '').find((id) => parseCaseReference(id) !== null)
  return [
    ...(caseNumber === undefined
      ? []
      : [
          {
            field,
            message: `must be IDs, and ${caseNumber} is a case number: use “Select cases” above a list of cases instead`,
          },
        ]),
    ...(isSanction(action) && durationSeconds === ''
      ? [{ field: 'durationSeconds', message: 'is required' }]
      : []),
  ]
}

/** @returns null for permanent, undefined if nothing is chosen */
function toSeconds(duration: string): number | null | undefined {
  if (duration === '') return undefined
  return duration === 'permanent' ? null : Number(duration)
}

/** The action of the batch that left the targets alone, if the form has it. */
function chooseInitialAction({ action = '', cases }: BatchStart): string {
  if (includes([...playerActions, ...recordActions], action)) return action
  return cases.length > 0 ? 'revoke' : 'ban'
}

/** What happens to IDs that were entered for the other kind of actions. */
function explainUnused(count: number, used: TargetField): string {
  if (count === 0) return ''
  const kind = used === 'userIds' ? 'cases' : 'players'
  return ` ${pluralize(count, 'ID')} that you have entered for actions on ${kind} will not be used.`
}

/** The form for an action on many players or cases. */
export function ActionBatchForm(props: {
  /** The cases that were selected in a list, or what another batch left alone. */
  readonly start: BatchStart
  readonly onStarted: (batch: Batch) => void
}) {
  const { start, onStarted } = props
  const { cases: selected, userIds } = start
  const { id: workspaceId } = useWorkspace()
  const templatesRead = useQuery(templatesQuery(workspaceId))
  const ownLimits = useOwnLimits(workspaceId)
  const now = useNow()
  // The field for the template is the first one, and would move all others when the templates arrive.
  if (templatesRead.isPending) return <LoadingRows />
  const templates = templatesRead.data ?? []
  return (
    <BatchPreviewForm
      initialValues={{
        action: chooseInitialAction(start),
        templateId: '',
        userIds: userIds.join('\n'),
        recordIds: selected.map(({ recordId }) => recordId).join('\n'),
        durationSeconds: '',
        reason: '',
      }}
      labels={labels as never}
      toRequest={toRequest}
      findProblems={findProblems}
      onStarted={onStarted}
    >
      {(form) => {
        const { action, templateId, durationSeconds } = form.values
        const chosen = templates.find(({ id }) => id === templateId) ?? null
        const targetField = selectTargetField(action)
        const ids = splitIds(form.values[targetField])
        const unused = countUnused(selected, form.values, targetField)
        const isByTemplate = chosen !== null && (action === BY_LADDER || includes(createActions, action))
        const limits = previewBatchLimits(
          ownLimits,
          {
            action,
            seconds: toSeconds(durationSeconds),
            severity: isByTemplate ? chosen.defaultSeverity : null,
            targets: ids.length,
          },
          now,
        )
        const chooseAction = (next: string) => {
          const field = selectTargetField(next)
          if (field !== targetField) form.setFieldValue(field, convertTargets(selected, form.values, field))
          form.setFieldValue('action', next)
        }
        const chooseTemplate = (id: string | null) => {
          const template = templates.find((one) => one.id === id)
          form.setFieldValue('templateId', template?.id ?? '')
          if (template?.ladderName != null) chooseAction(BY_LADDER)
          else if (action === BY_LADDER) chooseAction('ban')
        }
        return (
          <>
            {templates.length === 0 || includes(recordActions, action) ? null : (
              <Select
                label="Template"
                placeholder="None"
                clearable
                data={templates.map(({ id, name }) => ({ value: id, label: name }))}
                value={templateId === '' ? null : templateId}
                onChange={chooseTemplate}
                error={form.errors.templateId}
              />
            )}
            <Select
              label="Action"
              data={[
                ...(chosen?.ladderName == null
                  ? []
                  : [
                      {
                        value: BY_LADDER,
                        label: `What the ladder ${chosen.ladderName} decides for each player`,
                      },
                    ]),
                {
                  group: 'On players',
                  items: playerActions.map((value) => ({ value, label: formatAction(value) })),
                },
                {
                  group: 'On cases',
                  items: recordActions.map((value) => ({ value, label: formatAction(value) })),
                },
              ]}
              allowDeselect={false}
              {...form.getInputProps('action')}
              onChange={(next) => chooseAction(next ?? action)}
            />
            <Textarea
              key={targetField}
              label={targetField === 'recordIds' ? 'IDs of cases' : 'IDs of players'}
              description={`Up to ${MAX_BATCH_TARGETS}, on lines or separated by commas or spaces. ${pluralize(ids.length, 'ID')} now.${explainUnused(unused, targetField)}`}
              autosize
              minRows={4}
              maxRows={12}
              spellCheck={false}
              {...form.getInputProps(targetField)}
            />
            {isSanction(action) ? (
              <Select
                label="Duration"
                data={durations}
                placeholder="Choose how long"
                allowDeselect={false}
                {...form.getInputProps('durationSeconds')}
                value={durationSeconds === '' ? null : durationSeconds}
              />
            ) : null}
            {action === 'acknowledge' ? null : (
              <Textarea
                label={action === 'comment' ? 'Comment' : 'Reason'}
                {...(isByTemplate && {
                  description: 'Optional: what only staff read. Empty for the text of the template',
                })}
                autosize
                minRows={2}
                {...form.getInputProps('reason')}
                error={form.errors.reason ?? form.errors.value}
              />
            )}
            <LimitNote note={limits.note} warning={limits.warning} />
          </>
        )
      }}
    </BatchPreviewForm>
  )
}
