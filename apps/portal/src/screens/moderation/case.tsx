import { Stack } from '@mantine/core'
import { IconFileOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { ApiError } from '../../api/error.ts'
import { useWorkspace } from '../../api/me.ts'
import { Card } from '../../components/card.tsx'
import { Screen } from '../../components/screen.tsx'
import { EmptyState, ErrorState, LoadingRows } from '../../components/states.tsx'
import { CaseActions } from './case/case-actions.tsx'
import { CaseFacts } from './case/case-facts.tsx'
import { Comments } from './case/comments.tsx'
import { Evidence } from './case/evidence.tsx'
import { Versions } from './case/versions.tsx'
import { caseQuery, playerQuery, useNames, type WholeCase } from './data.ts'
import { ViewersOnly } from './viewers-only.tsx'
import { isVerb, playerName, wordsOf } from './words.ts'

/** One record: what it says, what became of it, and what it said before. */
export function Case() {
  const { id } = useParams({ strict: false }) as { id: string }
  return (
    <ViewersOnly title="Case">
      <AnyCase id={id} />
    </ViewersOnly>
  )
}

function AnyCase({ id }: { readonly id: string }) {
  const { id: workspaceId } = useWorkspace()
  const { data, error, refetch } = useQuery(caseQuery(workspaceId, id))
  const back = { to: `/w/${workspaceId}/moderation/records`, label: 'All records' }
  if (data) return <OneCase key={id} whole={data} />
  const isNone = error instanceof ApiError && (error.status === 404 || error.status === 400)
  return (
    <Screen title="Case" back={back}>
      {isNone ? (
        <EmptyState icon={IconFileOff} title="There is no such case">
          It may belong to another workspace, or the address was not copied whole. Look for it among all
          records.
        </EmptyState>
      ) : error ? (
        <ErrorState error={error} retry={() => void refetch()} />
      ) : (
        <LoadingRows />
      )}
    </Screen>
  )
}

function OneCase({ whole }: { readonly whole: WholeCase }) {
  const { record, versions } = whole
  const { id: workspaceId } = useWorkspace()
  const names = useNames(workspaceId, [
    ...versions.map(({ replacedBy }) => replacedBy),
    ...(record.revokedBy === null ? [] : [record.revokedBy]),
  ])
  const { action, caseNumber, userId } = record
  const { data: player = null } = useQuery(playerQuery(workspaceId, userId))
  const noun = isVerb(action) ? wordsOf[action].noun : 'Record'
  return (
    <Screen
      title={`Case ${caseNumber}: ${noun.toLowerCase()}`}
      back={{ to: `/w/${workspaceId}/moderation/players/${userId}`, label: `Player ${userId}` }}
    >
      <Stack gap="md">
        <Card>
          <CaseFacts record={record} names={names} player={player} />
          <CaseActions record={record} who={playerName(player ?? record)} />
        </Card>
        <Evidence record={record} />
        <Comments record={record} />
        <Versions whole={whole} names={names} />
      </Stack>
    </Screen>
  )
}
