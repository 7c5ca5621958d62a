import { Stack } from '@mantine/core'
import { useMay } from '../../api/me.ts'
import { NotForYou } from '../../components/not-for-you.tsx'
import { Screen } from '../../components/screen.tsx'
import { ArchivesCard } from './workspace/archives-card.tsx'
import { DetailsCard } from './workspace/details-card.tsx'
import { OwnershipCard } from './workspace/ownership-card.tsx'
import { StateCard } from './workspace/state-card.tsx'

/** The workspace itself: its name, its archives, and who owns it. */
export function WorkspaceSettings() {
  const maySee = useMay('workspace.view')
  return (
    <Screen
      title="Workspace"
      description={maySee ? 'What it is called, what is kept of it, and whose it is.' : null}
    >
      {maySee ? (
        <Stack gap="md">
          <DetailsCard />
          <StateCard />
          <ArchivesCard />
          <OwnershipCard />
        </Stack>
      ) : (
        <NotForYou permission="workspace.view" />
      )}
    </Screen>
  )
}
