import { Stack } from '@mantine/core'
import { isRecordAction } from '@reeve/core'
import { IconFileOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { isMissing } from '../../api/error.ts'
import { useWorkspace } from '../../api/me.ts'
import type { ReadScreen } from '../../app/early-data.ts'
import { Card } from '../../components/card.tsx'
import { EmptyState, ErrorState, LoadingRows } from '../../components/empty-error-loading.tsx'
import { Screen } from '../../components/screen.tsx'
import { formatPlayerName } from '../../format/player-name.ts'
import { actionInfo } from './action-labels.ts'
import { ApprovalSection } from './approvals/approval-section.tsx'
import { EvidenceFiles } from './evidence/evidence-files.tsx'
import { listUnnamedRevokers } from './player/timeline.tsx'
import { playerQuery, type RecordHistory, recordHistoryQuery, useActorNames } from './queries.ts'
import { Additions } from './record/additions.tsx'
import { RecordActions } from './record/record-actions.tsx'
import { RecordFacts } from './record/record-facts.tsx'
import { Versions } from './record/versions.tsx'
import { RequireModerationView } from './require-moderation-view.tsx'
import { CaseWork } from './teamwork/case-work.tsx'

/** Reads what the screen shows first. */
export const earlyReads: {
  readonly RecordScreen: ReadScreen<{ readonly workspaceId: string; readonly id: string }>
} = {
  RecordScreen: ({ client, params: { workspaceId, id } }) => [
    client.prefetchQuery(recordHistoryQuery(workspaceId, id)).then(() => {
      const history = client.getQueryData(recordHistoryQuery(workspaceId, id).queryKey)
      return history && client.prefetchQuery(playerQuery(workspaceId, history.record.userId))
    }),
  ],
}

/** The case page: one record with its additions and versions. */
export function RecordScreen() {
  const { id } = useParams({ strict: false }) as { id: string }
  return (
    <RequireModerationView title="Case">
      <RecordLoader id={id} />
    </RequireModerationView>
  )
}

function RecordLoader({ id }: { readonly id: string }) {
  const { id: workspaceId } = useWorkspace()
  const { data, error, refetch } = useQuery(recordHistoryQuery(workspaceId, id))
  const back = { to: `/w/${workspaceId}/moderation/records`, label: 'All cases' }
  if (data) return <RecordDetails key={id} history={data} />
  return (
    <Screen title="Case" back={back}>
      {isMissing(error) ? (
        <EmptyState icon={IconFileOff} title="Case not found">
          It may belong to another workspace, or the link may be incomplete. Look for it under All cases.
        </EmptyState>
      ) : error ? (
        <ErrorState error={error} retry={() => void refetch()} />
      ) : (
        <LoadingRows />
      )}
    </Screen>
  )
}

function RecordDetails({ history }: { readonly history: RecordHistory }) {
  const { record, approval, versions } = history
  const { id: workspaceId } = useWorkspace()
  const names = useActorNames(workspaceId, [
    ...versions.map(({ replacedBy }) => replacedBy),
    ...listUnnamedRevokers([record]),
  ])
  const { action, caseNumber, userId } = record
  const { data: player = null, isLoading, failureCount } = useQuery(playerQuery(workspaceId, userId))
  const playerLabel = formatPlayerName(player ?? record)
  const noun = isRecordAction(action) ? actionInfo[action].noun : 'Record'
  return (
    <Screen
      title={`Case ${caseNumber}: ${noun.toLowerCase()}`}
      back={{ to: `/w/${workspaceId}/moderation/players/${userId}`, label: `Player ${playerLabel}` }}
    >
      {/* What is known of the player would move the buttons. A case is shown without it if it cannot be read at once. */}
      {isLoading && failureCount === 0 ? (
        <LoadingRows />
      ) : (
        <Stack gap="md">
          <Card>
            <RecordFacts
              record={record}
              names={names}
              player={player}
              waitsForApproval={approval?.state === 'pending'}
            />
            {approval ? <ApprovalSection approval={approval} /> : null}
            <CaseWork record={record} />
            <RecordActions record={record} player={player} />
          </Card>
          <EvidenceFiles record={record} />
          <Additions history={history} names={names} />
          <Versions history={history} names={names} />
        </Stack>
      )}
    </Screen>
  )
}
