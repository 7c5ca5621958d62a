import { useQuery } from '@tanstack/react-query'
import { useHasPermission, useWorkspace } from '../../api/me.ts'
import { Card } from '../../components/card.tsx'
import { ErrorState, LoadingRows } from '../../components/empty-error-loading.tsx'
import { Forbidden } from '../../components/forbidden.tsx'
import { Screen } from '../../components/screen.tsx'
import { appealSettingsQuery } from './appeals/settings-data.ts'
import { SettingsForm } from './appeals/settings-form.tsx'

/** How a workspace handles appeals. */
export function AppealSettings() {
  if (useHasPermission('appeals.view')) return <SettingsContent />
  return (
    <Screen title="Appeal form">
      <Forbidden permission="appeals.view" />
    </Screen>
  )
}

function SettingsContent() {
  const { id } = useWorkspace()
  const { data, error, refetch } = useQuery(appealSettingsQuery(id))
  return (
    <Screen
      title="Appeal form"
      description="Whether and when players can appeal bans, what they are asked, and who decides."
    >
      {data ? (
        <Card>
          <SettingsForm settings={data} />
        </Card>
      ) : error ? (
        <ErrorState error={error} retry={() => void refetch()} />
      ) : (
        <LoadingRows rows={6} />
      )}
    </Screen>
  )
}
