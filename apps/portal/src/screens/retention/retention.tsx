import { useQuery } from '@tanstack/react-query'
import { useHasPermission, useWorkspace } from '../../api/me.ts'
import { Card } from '../../components/card.tsx'
import { ErrorState, LoadingRows } from '../../components/empty-error-loading.tsx'
import { ReadGate } from '../../components/endpoint-state.tsx'
import { Forbidden } from '../../components/forbidden.tsx'
import { Screen } from '../../components/screen.tsx'
import { retentionQuery } from './retention-data.ts'
import { RetentionForm } from './retention-form.tsx'

/** After how many days a workspace deletes its cases. */
export function RetentionScreen() {
  const canView = useHasPermission('moderation.view')
  return (
    <Screen
      title="Retention"
      description="After how many days cases are deleted for good, with their comments, evidence, files and appeals."
    >
      {canView ? (
        <ReadGate endpoint="moderation">
          <Rules />
        </ReadGate>
      ) : (
        <Forbidden permission="moderation.view" />
      )}
    </Screen>
  )
}

function Rules() {
  const { id } = useWorkspace()
  const { data, error, refetch } = useQuery(retentionQuery(id))
  if (data)
    return (
      <Card>
        <RetentionForm retention={data} />
      </Card>
    )
  return error ? <ErrorState error={error} retry={() => void refetch()} /> : <LoadingRows rows={6} />
}
