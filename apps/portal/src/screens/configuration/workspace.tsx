import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { jobsQuery } from '../../api/jobs.ts'
import { useHasPermission, useWorkspace } from '../../api/me.ts'
import { Forbidden } from '../../components/forbidden.tsx'
import { Screen } from '../../components/screen.tsx'
import { ArchivesCard } from './workspace/archives-card.tsx'
import { DeleteCard } from './workspace/delete-card.tsx'
import { DetailsCard } from './workspace/details-card.tsx'
import { JobCard } from './workspace/job-card.tsx'
import { OwnershipCard } from './workspace/ownership-card.tsx'
import { SecondFactorCard } from './workspace/second-factor-card.tsx'
import { StateCard } from './workspace/state-card.tsx'
import { workspaceQuery } from './workspace/workspace-data.ts'

/** The settings of a workspace: name, state, archives, second factors and ownership. */
export function WorkspaceSettings() {
  const canView = useHasPermission('workspace.view')
  return (
    <Screen title="Workspace" description={canView ? 'Name, archives, second factors and ownership.' : null}>
      {canView ? <Cards /> : <Forbidden permission="workspace.view" />}
    </Screen>
  )
}

/** The height of the details and of the job depends on their values, so the cards below them wait for these. */
function Cards() {
  const { id, isOwner } = useWorkspace()
  const record = useQuery(workspaceQuery(id))
  const jobs = useQuery(jobsQuery(id))
  const isPending = record.isPending || jobs.isPending
  return (
    <Stack gap="md">
      <DetailsCard />
      <Stack gap="md" display={isPending ? 'none' : undefined}>
        <JobCard />
        <StateCard />
        <ArchivesCard />
        {isOwner ? <SecondFactorCard /> : null}
        <OwnershipCard />
        <DeleteCard />
      </Stack>
    </Stack>
  )
}
