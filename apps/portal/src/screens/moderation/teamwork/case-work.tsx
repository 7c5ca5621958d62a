import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { useHasPermission, useMe, useWorkspace } from '../../../api/me.ts'
import { WriteGuard } from '../../../components/endpoint-state.tsx'
import { inboxCountsQuery, markMentions } from '../../../components/inbox-queries.ts'
import { openModal } from '../../../components/modals.tsx'
import { SmallButton } from '../../../components/small-button.tsx'
import { notifyError } from '../../../components/toast.tsx'
import { useAfterFirstScreen } from '../../../components/use-after-first-screen.ts'
import { useClaimRenewal } from '../../../components/use-claim-renewal.ts'
import { formatTimeOfDay } from '../../../format/time.ts'
import { useNow } from '../../../format/use-now.ts'
import { type ModerationRecord, playerFactsQuery } from '../queries.ts'
import { AssignForm } from './assign-form.tsx'
import classes from './case-work.module.css'
import {
  assignCase,
  type CaseWork as CaseWorkData,
  caseWorkQuery,
  claimCase,
  pinNote,
  releaseCase,
  unassignCase,
  unpinNote,
} from './queries.ts'

/** Runs an action of a button, and reports its error. */
function useAction(): readonly [boolean, (run: () => Promise<void>) => void] {
  const [isBusy, setIsBusy] = useState(false)
  const start = (run: () => Promise<void>) => {
    setIsBusy(true)
    run()
      .catch(notifyError)
      .finally(() => setIsBusy(false))
  }
  return [isBusy, start]
}

/** Who works on a case, who is to, and whether it is pinned to its player. */
export function CaseWork({ record }: { readonly record: ModerationRecord }) {
  const { id: workspaceId } = useWorkspace()
  const isDue = useAfterFirstScreen()
  const { data: work } = useQuery({ ...caseWorkQuery(workspaceId, record.id), enabled: isDue })
  const canWork = useHasPermission('moderation.note')
  // Counted by the navigation. The user who reads the case has read what mentions them in it.
  const { data: counts } = useQuery({ ...inboxCountsQuery(workspaceId), enabled: false })
  const hasMentions = (counts?.get('mentions') ?? 0) > 0
  useEffect(() => {
    if (hasMentions) markMentions(workspaceId, { recordId: record.id }).catch(notifyError)
  }, [hasMentions, workspaceId, record.id])
  return (
    <section className={classes.work} aria-label="Work on this case" data-no-print>
      <ClaimRow recordId={record.id} work={work} canWork={canWork} />
      <AssignmentRow record={record} work={work} canWork={canWork} />
      {canWork ? <PinRow record={record} /> : null}
    </section>
  )
}

interface RowProps {
  /** Undefined until it is loaded. */
  readonly work: CaseWorkData | undefined
  readonly canWork: boolean
}

function ClaimRow({ recordId, work, canWork }: RowProps & { readonly recordId: string }) {
  const { id: workspaceId } = useWorkspace()
  const me = useMe()
  const now = useNow()
  const [isBusy, start] = useAction()
  const renew = useCallback(() => claimCase(workspaceId, recordId), [workspaceId, recordId])
  const claim = work?.claim && Date.parse(work.claim.expiresAt) > now ? work.claim : null
  const isMine = claim?.accountId === me.id
  useClaimRenewal(isMine, renew)
  return (
    <div className={classes.row}>
      <Text size="sm" component="p" role="status" className={classes.text}>
        {work === undefined ? (
          '\u00a0'
        ) : claim === null ? (
          'Nobody works on this case.'
        ) : isMine ? (
          `You work on this case until ${formatTimeOfDay(claim.expiresAt)}.`
        ) : (
          <>
            <bdi>{claim.username}</bdi> works on this case until {formatTimeOfDay(claim.expiresAt)}.
          </>
        )}
      </Text>
      {canWork && work !== undefined && (claim === null || isMine) ? (
        <SmallButton
          loading={isBusy}
          onClick={() => start(isMine ? () => releaseCase(workspaceId, recordId) : renew)}
        >
          {isMine ? 'Release' : 'Work on it'}
        </SmallButton>
      ) : null}
    </div>
  )
}

function AssignmentRow({ record, work, canWork }: RowProps & { readonly record: ModerationRecord }) {
  const { id: workspaceId } = useWorkspace()
  const me = useMe()
  const canSeeMembers = useHasPermission('members.view')
  const [isBusy, start] = useAction()
  const { id: recordId, caseNumber } = record
  const assignment = work?.assignment ?? null
  const isMine = assignment?.accountId === me.id
  const openAssign = () =>
    openModal({
      title: `Assign case ${caseNumber}`,
      render: (close) => <AssignForm workspaceId={workspaceId} recordId={recordId} close={close} />,
    })
  return (
    <div className={classes.row}>
      <Text size="sm" component="p" role="status" className={classes.text}>
        {work === undefined ? (
          '\u00a0'
        ) : assignment === null ? (
          'Not assigned.'
        ) : isMine ? (
          'Assigned to you.'
        ) : (
          <>
            Assigned to <bdi>{assignment.username}</bdi>.
          </>
        )}
      </Text>
      {canWork && work !== undefined ? (
        <div className={classes.buttons}>
          {assignment ? (
            <WriteGuard endpoint="moderation">
              <SmallButton loading={isBusy} onClick={() => start(() => unassignCase(workspaceId, recordId))}>
                {isMine ? 'Done' : 'Unassign'}
              </SmallButton>
            </WriteGuard>
          ) : (
            <WriteGuard endpoint="moderation">
              <SmallButton
                loading={isBusy}
                onClick={() => start(() => assignCase(workspaceId, recordId, me.id))}
              >
                Assign to me
              </SmallButton>
            </WriteGuard>
          )}
          {canSeeMembers ? (
            <WriteGuard endpoint="moderation">
              <SmallButton onClick={openAssign}>{assignment ? 'Reassign' : 'Assign'}</SmallButton>
            </WriteGuard>
          ) : null}
        </div>
      ) : null}
    </div>
  )
}

function PinRow({ record }: { readonly record: ModerationRecord }) {
  const { id: workspaceId } = useWorkspace()
  const { data: facts } = useQuery(playerFactsQuery(workspaceId, record.userId))
  const [isBusy, start] = useAction()
  const pinned = facts?.pinnedNotes.find(({ recordId }) => recordId === record.id)
  return (
    <div className={classes.row}>
      <Text size="sm" component="p" role="status" className={classes.text}>
        {facts === undefined ? '\u00a0' : pinned ? 'Pinned to the player.' : 'Not pinned to the player.'}
      </Text>
      {facts === undefined ? null : (
        <WriteGuard endpoint="moderation">
          <SmallButton
            loading={isBusy}
            onClick={() =>
              start(() =>
                pinned ? unpinNote(workspaceId, pinned.id) : pinNote(workspaceId, { recordId: record.id }),
              )
            }
          >
            {pinned ? 'Unpin' : 'Pin'}
          </SmallButton>
        </WriteGuard>
      )}
    </div>
  )
}
