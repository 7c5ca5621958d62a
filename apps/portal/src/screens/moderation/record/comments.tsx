import { Text } from '@mantine/core'
import { useWorkspace } from '../../../api/me.ts'
import { Card } from '../../../components/card.tsx'
import { FormattedTime } from '../../../components/formatted-time.tsx'
import { useCanEdit } from '../../../components/permission-gate.tsx'
import { UserBadge } from '../../../components/user-badge.tsx'
import { withExplainedErrors } from '../explain-error.ts'
import { submitModeration } from '../mutations.ts'
import type { ModerationRecord } from '../queries.ts'
import { AddTextForm } from './add-text-form.tsx'
import classes from './record.module.css'

/** What staff said of it, the oldest first. */
export function Comments({ record }: { readonly record: ModerationRecord }) {
  const { id: workspaceId } = useWorkspace()
  const canAdd = useCanEdit('moderation.note') && record.redactedAt === null
  const { id, comments } = record
  if (comments.length === 0 && !canAdd) return null
  return (
    <Card title="Comments">
      {comments.length === 0 ? (
        <Text size="sm" c="dimmed" mb="sm">
          None yet. The player never sees what staff say here.
        </Text>
      ) : (
        <ul className={classes.items} aria-label="Comments">
          {comments.map((comment) => (
            <li key={comment.id}>
              <UserBadge name={comment.authorUsername} note={<FormattedTime value={comment.createdAt} />} />
              <Text size="sm" component="div" mt={4} className={classes.text}>
                <bdi>{comment.text}</bdi>
              </Text>
            </li>
          ))}
        </ul>
      )}
      {canAdd ? (
        <AddTextForm
          label="Add a comment"
          submitLabel="Comment"
          add={async (value) => {
            await withExplainedErrors(workspaceId, () =>
              submitModeration(workspaceId, { action: 'comment', id, value }),
            )
          }}
        />
      ) : null}
    </Card>
  )
}
