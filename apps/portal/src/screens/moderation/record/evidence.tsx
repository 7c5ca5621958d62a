import { Text } from '@mantine/core'
import { useWorkspace } from '../../../api/me.ts'
import { Card } from '../../../components/card.tsx'
import { useCanEdit } from '../../../components/permission-gate.tsx'
import { notifySuccess } from '../../../components/toast.tsx'
import { withExplainedErrors } from '../explain-error.ts'
import { submitModeration } from '../mutations.ts'
import type { ModerationRecord } from '../queries.ts'
import { AddTextForm } from './add-text-form.tsx'
import classes from './record.module.css'

const isLink = (text: string): boolean => /^https?:\/\/\S+$/i.test(text) && URL.canParse(text)

/** What shows that it was so. Nothing of it is loaded here: a link is gone to by whoever follows it. */
export function Evidence({ record }: { readonly record: ModerationRecord }) {
  const { id: workspaceId } = useWorkspace()
  const canAdd = useCanEdit('moderation.note') && record.redactedAt === null
  const { id, evidence, caseNumber } = record
  if (evidence.length === 0 && !canAdd) return null
  return (
    <Card title="Evidence">
      {evidence.length === 0 ? (
        <Text size="sm" c="dimmed" mb="sm">
          None yet. Add links to clips, pictures or logs, or what you saw.
        </Text>
      ) : (
        <ul className={classes.items} aria-label="Evidence">
          {evidence.map((item, index) => (
            <li key={`${index} ${item}`}>
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
      {canAdd ? (
        <AddTextForm
          label="Add evidence"
          description="Links or observations, one a line"
          submitLabel="Add the evidence"
          add={async (value) => {
            await withExplainedErrors(workspaceId, () =>
              submitModeration(workspaceId, { action: 'evidence', id, value }),
            )
            notifySuccess(`Added to the evidence of case ${caseNumber}.`)
          }}
        />
      ) : null}
    </Card>
  )
}
