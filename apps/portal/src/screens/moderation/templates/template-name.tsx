import { useQuery } from '@tanstack/react-query'
import { useWorkspace } from '../../../api/me.ts'
import type { RecordRevision } from '../queries.ts'
import { templateVersionQuery } from './queries.ts'

/** The name of a record’s template at that time, and the step that applied. */
export function TemplateName({ record }: { readonly record: RecordRevision }) {
  const { id: workspaceId } = useWorkspace()
  const { templateId, templateVersion, step } = record
  const { data } = useQuery({
    ...templateVersionQuery(workspaceId, templateId ?? '', templateVersion ?? ''),
    enabled: templateId !== null,
  })
  return (
    <>
      <bdi>{data?.name ?? '…'}</bdi>
      {step === null ? null : ` (step ${step})`}
    </>
  )
}
