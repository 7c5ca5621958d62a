import { Select, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useWorkspace } from '../../api/me.ts'
import { pluralize } from '../../format/number.ts'
import { useNow } from '../../format/use-now.ts'
import { LimitNote } from '../moderation/action/limit-note.tsx'
import { useOwnLimits } from '../moderation/action/own-limits.ts'
import { templatesQuery } from '../moderation/templates/queries.ts'
import { type Batch, type BatchRequest, formatAction } from './batch-data.ts'
import { BatchPreviewForm } from './batch-form.tsx'
import { previewBatchLimits } from './batch-limits.ts'

const createActions = ['ban', 'mute', 'kick', 'warn', 'note'] as const
const playerActions = [...createActions, 'unban', 'unmute'] as const
const recordActions = ['revoke', 'comment', 'acknowledge'] as const

const includes = (actions: readonly string[], action: string): boolean => actions.includes(action)
const isSanction = (action: string): boolean => action === 'ban' || action === 'mute'

/** The action of a template whose ladder decides it for each player. */
const BY_LADDER = 'ladder'

const durations = [
  { value: 'permanent', label: 'Permanent' },
  { value: '3600', label: '1 hour' },
  { value: '86400', label: '1 day' },
  { value: '604800', label: '7 days' },
  { value: '2592000', label: '30 days' },
]

const labels = {
  action: 'Action',
  templateId: 'Template',
  targets: 'Players or cases',
  userIds: 'Players',
  recordIds: 'Cases',
  reason: 'Reason',
  value: 'Comment',
  durationSeconds: 'Duration',
}

/** Ids that were pasted: on lines, or separated by spaces, commas or semicolons. */
const splitIds = (text: string): readonly string[] => [
  ...new Set(text.split(/[\s,;]+/).filter((part) => part !== '')),
]

function toRequest({
  action = '',
  templateId = '',
  targets = '',
  durationSeconds = '',
  reason = '',
}: Readonly<Record<string, string>>): BatchRequest {
  const hasTemplate = templateId !== '' && (action === BY_LADDER || includes(createActions, action))
  return {
    ...(action !== BY_LADDER && { action }),
    ...(hasTemplate && { templateId }),
    [includes(recordActions, action) ? 'recordIds' : 'userIds']: splitIds(targets).join(','),
    ...(action === 'comment' ? { value: reason } : {}),
    ...(action === 'comment' || action === 'acknowledge' || (hasTemplate && reason === '') ? {} : { reason }),
    ...(isSanction(action) && { durationSeconds }),
  }
}

/** The form for an action on many players or cases. @param recordIds the cases that were selected */
export function ActionBatchForm(props: {
  readonly recordIds: readonly string[]
  readonly onStarted: (batch: Batch) => void
}) {
  const { recordIds, onStarted } = props
  const { id: workspaceId } = useWorkspace()
  const templates = useQuery(templatesQuery(workspaceId)).data ?? []
  const ownLimits = useOwnLimits(workspaceId, true)
  const now = useNow()
  return (
    <BatchPreviewForm
      initialValues={{
        action: recordIds.length > 0 ? 'revoke' : 'ban',
        templateId: '',
        targets: recordIds.join('\n'),
        durationSeconds: 'permanent',
        reason: '',
      }}
      labels={labels as never}
      toRequest={toRequest}
      onStarted={onStarted}
    >
      {(form) => {
        const { action, templateId, targets, durationSeconds } = form.values
        const chosen = templates.find(({ id }) => id === templateId) ?? null
        const ids = splitIds(targets)
        const isByTemplate = chosen !== null && (action === BY_LADDER || includes(createActions, action))
        const limits = previewBatchLimits(
          ownLimits,
          {
            action,
            seconds: durationSeconds === 'permanent' ? null : Number(durationSeconds),
            severity: isByTemplate ? chosen.defaultSeverity : null,
            targets: ids.length,
          },
          now,
        )
        const chooseTemplate = (id: string | null) => {
          const template = templates.find((one) => one.id === id)
          form.setFieldValue('templateId', template?.id ?? '')
          if (template?.ladderName != null) form.setFieldValue('action', BY_LADDER)
          else if (action === BY_LADDER) form.setFieldValue('action', 'ban')
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
            />
            <Textarea
              label={includes(recordActions, action) ? 'IDs of cases' : 'IDs of players'}
              description={`Up to 500, on lines or separated by commas or spaces. ${pluralize(ids.length, 'ID')} now.`}
              autosize
              minRows={4}
              maxRows={12}
              spellCheck={false}
              {...form.getInputProps('targets')}
              error={form.errors[includes(recordActions, action) ? 'recordIds' : 'userIds']}
            />
            {isSanction(action) ? (
              <Select
                label="Duration"
                data={durations}
                allowDeselect={false}
                {...form.getInputProps('durationSeconds')}
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
