import { Text } from '@mantine/core'
import { isRecordAction, isSanctionKind } from '@reeve/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useWorkspace } from '../../../api/me.ts'
import { FormattedTime } from '../../../components/formatted-time.tsx'
import { useNow } from '../../../format/use-now.ts'
import { actionInfo } from '../action-labels.ts'
import { ModerationActionIcon, PendingBadge, PlayerLabel } from '../badges.tsx'
import { formatUntilWithRemaining } from '../format-time.ts'
import { SanctionSummary } from '../player/active-sanctions.tsx'
import { findOpenAppeal, OpenAppealLink } from '../player/open-appeal.tsx'
import { RevocationNote } from '../player/timeline.tsx'
import type { ActiveSanction, ActorNames, ModerationRecord, PlayerSummary } from '../queries.ts'
import { listFacts, recordFields } from '../record-fields.tsx'
import classes from './record.module.css'

/** A record's player, status, reason and other fields. */
export function RecordFacts(props: {
  readonly record: ModerationRecord
  readonly names: ActorNames
  readonly player: PlayerSummary | null
  readonly waitsForApproval: boolean
}) {
  const { record, names, player, waitsForApproval } = props
  const { id: workspaceId } = useWorkspace()
  const { action, userId, userUsername, reason } = record
  const appeal = findOpenAppeal(player, record.id)
  return (
    <>
      <div className={classes.header}>
        <ModerationActionIcon action={action} size={20} />
        <div>
          <Link
            data-tap
            to="/w/$workspaceId/moderation/players/$userId"
            params={{ workspaceId, userId }}
            className={classes.player}
          >
            <PlayerLabel userId={userId} userUsername={player?.userUsername ?? userUsername} />
          </Link>
          <Text component="div" size="sm" fw={550} className={classes.status} data-status={record.status}>
            <StatusText record={record} /> {waitsForApproval ? <PendingBadge /> : null}
          </Text>
          <OtherSanctions record={record} player={player} />
        </div>
      </div>
      <div className={classes.reason}>
        {reason === null ? (
          <em className={classes.redacted}>
            The texts of this case were permanently redacted
            {record.redactedAt === null ? null : (
              <>
                , <FormattedTime value={record.redactedAt} />
              </>
            )}
            .
          </em>
        ) : (
          <bdi>{reason}</bdi>
        )}
      </div>
      <RevocationNote record={record} names={names} showsPlatformId />
      <dl className={classes.facts}>
        {player && userUsername !== null && userUsername !== player.userUsername ? (
          <Fact label={`${recordFields.userUsername.label} at the time`}>
            <bdi>{userUsername}</bdi>
          </Fact>
        ) : null}
        {record.appealCode === null ? null : (
          <Fact label="Appeal code">
            {record.appealCode}
            {appeal === undefined ? null : (
              <>
                {' · '}
                <OpenAppealLink appeal={appeal} />
              </>
            )}
          </Fact>
        )}
        {listFacts(record).map(({ label, value }) => (
          <Fact key={label} label={label}>
            {value}
          </Fact>
        ))}
      </dl>
    </>
  )
}

/** The player's active sanctions other than this record. */
function OtherSanctions({
  record,
  player,
}: {
  readonly record: ModerationRecord
  readonly player: PlayerSummary | null
}) {
  if (player === null) return null
  const excludeThisRecord = (sanction: ActiveSanction | null) =>
    sanction?.id === record.id ? null : sanction
  const [ban, mute] = [excludeThisRecord(player.ban), excludeThisRecord(player.mute)]
  const isThisActive = ban !== player.ban || mute !== player.mute
  if (isThisActive && ban === null && mute === null) return null
  return (
    <Text component="div" size="sm">
      {isThisActive ? 'Also: ' : 'Now: '}
      <SanctionSummary ban={ban} mute={mute} />
    </Text>
  )
}

const Fact = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  <div>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
)

/** The status of a record in words. */
function StatusText({ record: { action, status, expiresAt } }: { readonly record: ModerationRecord }) {
  const now = useNow()
  if (!isRecordAction(action)) return null
  const { past, noun } = actionInfo[action]
  if (status === 'revoked') return isSanctionKind(action) ? `${noun} lifted` : `${noun} revoked`
  if (!isSanctionKind(action)) return past
  if (status === 'active') return `${past} ${formatUntilWithRemaining(expiresAt, now)}`
  if (status === 'superseded') return `${noun} superseded by a newer one`
  return `${noun} expired`
}
