import { Button, Group, Stack, Text, Textarea } from '@mantine/core'
import type { ReactNode } from 'react'
import { useHasPermission, useWorkspace } from '../../../api/me.ts'
import { formatActorName } from '../../../components/blanked-name.ts'
import { Card } from '../../../components/card.tsx'
import { WriteGuard } from '../../../components/endpoint-state.tsx'
import { FormattedTime } from '../../../components/formatted-time.tsx'
import { MentionText } from '../../../components/mention-text.tsx'
import { notifySuccess } from '../../../components/toast.tsx'
import { UnsavedText } from '../../../components/unsaved-text.tsx'
import { UserBadge } from '../../../components/user-badge.tsx'
import { FormAlert } from '../../../forms/form-alert.tsx'
import { useSubmit } from '../../../forms/use-submit.ts'
import { type AddedTextProps, useTextForm } from '../../../forms/use-text-form.ts'
import { withExplainedErrors } from '../explain-error.ts'
import { submitModeration } from '../mutations.ts'
import type { ModerationRecord } from '../queries.ts'
import { EVIDENCE_DESCRIPTION, recordFields } from '../record-fields.tsx'
import { MentionTextarea } from '../teamwork/mention-textarea.tsx'
import classes from './record.module.css'

/** What staff add to a record over time: evidence and comments. */
export function Additions({ record }: { readonly record: ModerationRecord }) {
  const { id: workspaceId } = useWorkspace()
  const canAdd = useHasPermission('moderation.note') && record.redactedAt === null
  const { id, evidence, comments, caseNumber } = record
  const submitAddition = (action: string) => async (value: string) => {
    await withExplainedErrors(workspaceId, () => submitModeration(workspaceId, { action, id, value }))
  }
  return (
    <>
      {evidence.length > 0 || canAdd ? (
        <Card title={recordFields.evidence.label}>
          {evidence.length === 0 ? (
            <Text size="sm" c="dimmed" mb="sm">
              No evidence yet. Add links to clips, screenshots or logs, or describe what you saw.
            </Text>
          ) : (
            <ul className={classes.items} aria-label={recordFields.evidence.label}>
              {evidence.map((item, index) => (
                <li key={`${index} ${item}`}>
                  <EvidenceItem item={item} />
                </li>
              ))}
            </ul>
          )}
          {canAdd ? (
            <AddTextForm
              label="New evidence"
              description={EVIDENCE_DESCRIPTION}
              submitLabel="Add evidence"
              add={async (value) => {
                await submitAddition('evidence')(value)
                notifySuccess(`Added evidence to case ${caseNumber}.`)
              }}
            />
          ) : null}
        </Card>
      ) : null}
      {comments.length > 0 || canAdd ? (
        <Card title={recordFields.comments.label}>
          {comments.length === 0 ? (
            <Text size="sm" c="dimmed" mb="sm">
              No comments yet. Players never see comments.
            </Text>
          ) : (
            <ul className={classes.items} aria-label={recordFields.comments.label}>
              {comments.map((comment) => (
                <li key={comment.id}>
                  <UserBadge
                    name={formatActorName(comment.authorUsername)}
                    note={<FormattedTime value={comment.createdAt} />}
                  />
                  <Text size="sm" component="div" mt={4} className={classes.text}>
                    <MentionText text={comment.text} />
                  </Text>
                </li>
              ))}
            </ul>
          )}
          {canAdd ? (
            <AddTextForm
              label="New comment"
              submitLabel="Add comment"
              add={async (value) => {
                await submitAddition('comment')(value)
                notifySuccess(`Added a comment to case ${caseNumber}.`)
              }}
              renderField={(props) => <MentionTextarea {...props} />}
            />
          ) : null}
        </Card>
      ) : null}
    </>
  )
}

const isLink = (text: string): boolean => /^https?:\/\/\S+$/i.test(text) && URL.canParse(text)

/** Links only open on click; the page itself loads nothing from them. */
const EvidenceItem = ({ item }: { readonly item: string }) => (
  <Text size="sm" component="div">
    {isLink(item) ? (
      <a
        href={item}
        target="_blank"
        rel="noopener noreferrer nofollow"
        className={classes.link}
        data-url-as-text
      >
        <bdi>{item}</bdi>
      </a>
    ) : (
      <bdi>{item}</bdi>
    )}
  </Text>
)

interface AddTextFormProps {
  readonly label: string
  readonly description?: string
  readonly submitLabel: string
  readonly add: (value: string) => Promise<void>
  /** The field, if it is not a plain one. */
  readonly renderField?: (props: AddedTextProps) => ReactNode
}

const renderTextarea = (props: AddedTextProps) => <Textarea autosize minRows={1} maxRows={8} {...props} />

/** A text field that is cleared once its text is saved, and keeps it if saving fails. */
function AddTextForm(props: AddTextFormProps) {
  const { label, description, submitLabel, add, renderField = renderTextarea } = props
  const { form, value: text, reset, resetSent, inputProps } = useTextForm()
  const submit = useSubmit(form, { value: label }, async ({ value }) => {
    await add(value)
    resetSent(value)
  })
  return (
    <form onSubmit={submit.onSubmit} noValidate>
      <Stack gap="xs">
        {renderField({ label, description, ...inputProps })}
        <FormAlert>{submit.alert}</FormAlert>
        <Group>
          <WriteGuard endpoint="moderation">
            <Button type="submit" variant="default" loading={submit.isBusy} disabled={text.trim() === ''}>
              {submitLabel}
            </Button>
          </WriteGuard>
        </Group>
      </Stack>
      <UnsavedText hasText={text.trim() !== ''} discard={reset} isSaving={submit.isBusy} />
    </form>
  )
}
