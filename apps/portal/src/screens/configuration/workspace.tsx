import { Stack } from '@mantine/core'
import { useHasPermission } from '../../api/me.ts'
import { Forbidden } from '../../components/forbidden.tsx'
import { Screen } from '../../components/screen.tsx'
import { ArchivesCard } from './workspace/archives-card.tsx'
import { DetailsCard } from './workspace/details-card.tsx'
import { OwnershipCard } from './workspace/ownership-card.tsx'
import { StateCard } from './workspace/state-card.tsx'

/** The settings of a workspace: name, state, archives and ownership. */
export function WorkspaceSettings() {
  const canView = useHasPermission('workspace.view')
  return (
    <Screen title="Workspace" description={canView ? 'Name, archives and ownership.' : null}>
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
