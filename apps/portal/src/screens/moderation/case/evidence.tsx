import { Text } from '@mantine/core'
import { useWorkspace } from '../../../api/me.ts'
import { Card } from '../../../components/card.tsx'
import { useMayChange } from '../../../components/permission-gate.tsx'
import { tellDone } from '../../../components/tell.tsx'
import type { Entry } from '../data.ts'
import { act } from '../deeds.ts'
import { inWords } from '../in-words.ts'
import { AddText } from './add-text.tsx'
import classes from './case.module.css'

const isLink = (text: string): boolean => /^https?:\/\/\S+$/i.test(text) && URL.canParse(text)

/** What shows that it was so. Nothing of it is loaded here: a link is gone to by whoever follows it. */
export function Evidence({ record }: { readonly record: Entry }) {
  const { id: workspaceId } = useWorkspace()
  const mayAdd = useMayChange('moderation.note') && record.redactedAt === null
  const { id, evidence, caseNumber } = record
  if (evidence.length === 0 && !mayAdd) return null
  return (
    <Card title="Evidence">
      {evidence.length === 0 ? (
        <Text size="sm" c="dimmed" mb="sm">
          None yet. Add links to clips, pictures or logs, or what you saw.
        </Text>
      ) : (
        <ul className={classes.items} aria-label="Evidence">
          {evidence.map((item, at) => (
            <li key={`${at} ${item}`}>
              <Text size="sm" component="div">
                {isLink(item) ? (
                  <a href={item} target="_blank" rel="noopener noreferrer nofollow" className={classes.link}>
                    <bdi>{item}</bdi>
                  </a>
                ) : (
                  <bdi>{item}</bdi>
                )}
              </Text>
            </li>
          ))}
        </ul>
      )}
      {mayAdd ? (
        <AddText
          label="Add evidence"
          description="Links or observations, one a line"
          action="Add the evidence"
          add={async (value) => {
            await inWords(workspaceId, () => act(workspaceId, { action: 'evidence', id, value }))
            tellDone(`Added to the evidence of case ${caseNumber}.`)
          }}
        />
      ) : null}
    </Card>
  )
}
