import { Button, Group, Stack, Text, Textarea } from '@mantine/core'
import type { ReactNode } from 'react'
import { useHasPermission, useMe, useWorkspace } from '../../../api/me.ts'
import { formatActorName } from '../../../components/blanked-name.ts'
import { Card } from '../../../components/card.tsx'
import { WriteGuard } from '../../../components/endpoint-state.tsx'
import { FormattedTime } from '../../../components/formatted-time.tsx'
import { MentionText } from '../../../components/mention-text.tsx'
import { notifySuccess } from '../../../components/toast.tsx'
import { UnsavedText } from '../../../components/unsaved-text.tsx'
import { UnsentText } from '../../../components/unsent-text.tsx'
import { UserBadge } from '../../../components/user-badge.tsx'
import { formatWhoHas } from '../../../format/who-has.ts'
import { FormAlert } from '../../../forms/form-alert.tsx'
import { useSubmit } from '../../../forms/use-submit.ts'
import { type AddedTextProps, useTextForm } from '../../../forms/use-text-form.ts'
import { withExplainedErrors } from '../explain-error.ts'
import { submitModeration } from '../mutations.ts'
import type { ActorNames, RecordHistory } from '../queries.ts'
import { EVIDENCE_DESCRIPTION, recordFields } from '../record-fields.tsx'
import { MentionTextarea } from '../teamwork/mention-textarea.tsx'
import classes from './record.module.css'

interface Props {
  readonly history: RecordHistory
  readonly names: ActorNames
}

/** What staff add to a record over time: evidence and comments. */
export function Additions({ history, names }: Props) {
  const { id: workspaceId } = useWorkspace()
  const canAdd = useHasPermission('moderation.note')
  const me = useMe()
  const { id, evidence, comments, caseNumber } = history.record
  const refusal = explainRefusal(history, canAdd, me.id, names)
  const add = (action: string, value: string) =>
    withExplainedErrors(workspaceId, () => submitModeration(workspaceId, { action, id, value }))
  return (
    <>
      <AdditionCard
        title={recordFields.evidence.label}
        emptyText="No evidence yet. Add links to clips, screenshots or logs, or describe what you saw."
        noun="evidence"
        description={EVIDENCE_DESCRIPTION}
        refusal={refusal}
        add={async (value) => {
          await add('evidence', value)
          notifySuccess(`Added evidence to case ${caseNumber}.`)
        }}
        renderField={(props) => <Textarea autosize minRows={1} maxRows={8} {...props} />}
      >
        {evidence.map((item, index) => (
          <li key={`${index} ${item}`}>
            <EvidenceItem item={item} />
          </li>
        ))}
      </AdditionCard>
      <AdditionCard
        title={recordFields.comments.label}
        emptyText="No comments yet. Players never see comments."
        noun="comment"
        refusal={refusal}
        add={async (value) => {
          await add('comment', value)
          notifySuccess(`Added a comment to case ${caseNumber}.`)
        }}
        renderField={(props) => <MentionTextarea {...props} />}
      >
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
      </AdditionCard>
    </>
  )
}

/** Why nothing can be added to a case, for somebody who has just typed something; null if it can. */
function explainRefusal(
  { record, versions }: RecordHistory,
  canAdd: boolean,
  ownId: string,
  names: ActorNames,
): string | null {
  if (record.redactedAt !== null) {
    const redactor = versions.findLast(({ redactedAt }) => redactedAt === null)?.replacedBy ?? ''
    return `${formatWhoHas(names.get(redactor), redactor === ownId)} permanently redacted this case.`
  }
  return canAdd ? null : 'You no longer have the permission to add to cases.'
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

interface AdditionCardProps {
  readonly title: string
  /** Shown while there are none. */
  readonly emptyText: string
  /** What is added: `comment`. */
  readonly noun: string
  readonly description?: string
  /** Why nothing can be added; null if it can. */
  readonly refusal: string | null
  readonly add: (value: string) => Promise<void>
  readonly renderField: (props: AddedTextProps) => ReactNode
  /** The items of the list. */
  readonly children: readonly ReactNode[]
}

/** A list, and a field that is cleared once its text is saved. The text stays if it cannot be added any more. */
function AdditionCard(props: AdditionCardProps) {
  const { title, emptyText, noun, description, refusal, add, renderField, children } = props
  const { form, value: text, reset, resetSent, inputProps } = useTextForm()
  const label = `New ${noun}`
  const submit = useSubmit(form, { value: label }, async ({ value }) => {
    await add(value)
    resetSent(value)
  })
  const hasText = text.trim() !== ''
  const isClosed = refusal !== null && !hasText
  if (isClosed && children.length === 0) return null
  return (
    <Card title={title}>
      {children.length > 0 ? (
        <ul className={classes.items} aria-label={title}>
          {children}
        </ul>
      ) : refusal === null ? (
        <Text size="sm" c="dimmed" mb="sm">
          {emptyText}
        </Text>
      ) : null}
      {isClosed ? null : (
        <form onSubmit={submit.onSubmit} noValidate>
          <Stack gap="xs">
            {renderField({ label, description, readOnly: refusal !== null, ...inputProps })}
            {refusal === null ? (
              <>
                <FormAlert>{submit.alert}</FormAlert>
                <Group>
                  <WriteGuard endpoint="moderation">
                    <Button type="submit" variant="default" loading={submit.isBusy} disabled={!hasText}>
                      Add {noun}
                    </Button>
                  </WriteGuard>
                </Group>
              </>
            ) : (
              <UnsentText noun={noun} text={text} cause={refusal} discard={reset} />
            )}
          </Stack>
          <UnsavedText
            hasText={hasText}
            readTexts={() => [{ label, text: form.getValues().value }]}
            discard={reset}
            isSaving={submit.isBusy}
          />
        </form>
      )}
    </Card>
  )
}
