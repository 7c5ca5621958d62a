import { listMentionedIds, splitMentions } from '@reeve/core'
import { useWorkspace } from '../api/me.ts'
import { useActorNames } from './actor-names.ts'
import classes from './mention-text.module.css'

/** A text of staff in which mentions have the current names of the members; those who left have none. */
export function MentionText({ text }: { readonly text: string }) {
  const names = useActorNames(useWorkspace().id, listMentionedIds(text))
  return (
    <bdi>
      {splitMentions(text).map((part, index) =>
        'text' in part ? (
          part.text
        ) : (
          <span key={`${index} ${part.accountId}`} className={classes.mention}>
            @<bdi>{names.get(part.accountId) ?? 'former member'}</bdi>
          </span>
        ),
      )}
    </bdi>
  )
}
