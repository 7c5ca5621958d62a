import { Text } from '@mantine/core'
import { useWorkspace } from '../../../api/me.ts'
import { Card } from '../../../components/card.tsx'
import { useMayChange } from '../../../components/permission-gate.tsx'
import { PlainTime } from '../../../components/plain-time.tsx'
import { UserBadge } from '../../../components/user-badge.tsx'
import type { Entry } from '../data.ts'
import { act } from '../deeds.ts'
import { inWords } from '../in-words.ts'
import { AddText } from './add-text.tsx'
import classes from './case.module.css'

/** What staff said of it, the oldest first. */
export function Comments({ record }: { readonly record: Entry }) {
  const { id: workspaceId } = useWorkspace()
  const mayAdd = useMayChange('moderation.note') && record.redactedAt === null
  const { id, comments } = record
  if (comments.length === 0 && !mayAdd) return null
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
              <UserBadge name={comment.authorUsername} note={<PlainTime at={comment.createdAt} />} />
              <Text size="sm" component="div" mt={4} className={classes.text}>
                <bdi>{comment.text}</bdi>
              </Text>
            </li>
          ))}
        </ul>
      )}
      {mayAdd ? (
        <AddText
          label="Add a comment"
          action="Comment"
          add={async (value) => {
            await inWords(workspaceId, () => act(workspaceId, { action: 'comment', id, value }))
          }}
        />
      ) : null}
    </Card>
  )
}
