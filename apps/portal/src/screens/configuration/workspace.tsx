import { Stack } from '@mantine/core'
import { useHasPermission } from '../../api/me.ts'
import { Forbidden } from '../../components/forbidden.tsx'
import { Screen } from '../../components/screen.tsx'
import { ArchivesCard } from './workspace/archives-card.tsx'
import { DetailsCard } from './workspace/details-card.tsx'
import { OwnershipCard } from './workspace/ownership-card.tsx'
import { StateCard } from './workspace/state-card.tsx'

/** The workspace itself: its name, its archives, and who owns it. */
export function WorkspaceSettings() {
  const canView = useHasPermission('workspace.view')
  return (
    <Screen
      title="Workspace"
      description={canView ? 'What it is called, what is kept of it, and whose it is.' : null}
    >
      {canView ? (
        <Stack gap="md">
          <DetailsCard />
          <StateCard />
          <ArchivesCard />
          <OwnershipCard />
        </Stack>
      ) : (
        <Forbidden permission="workspace.view" />
      )}
    </Screen>
  )
}
