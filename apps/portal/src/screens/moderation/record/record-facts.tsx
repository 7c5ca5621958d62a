import { Text } from '@mantine/core'
import { isRecordAction, isSanctionKind } from '@reeve/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useWorkspace } from '../../../api/me.ts'
import { FormattedTime } from '../../../components/formatted-time.tsx'
import { useNow } from '../../../format/use-now.ts'
import { actionInfo } from '../action-labels.ts'
import { ModerationActionIcon, PlayerLabel, SeverityBadge } from '../badges.tsx'
import { formatSanctionDuration, formatUntilWithRemaining } from '../format-time.ts'
import { SanctionSummary } from '../player/active-sanctions.tsx'
import { RevocationNote } from '../player/timeline.tsx'
import type { ActiveSanction, ActorNames, ModerationRecord, PlayerSummary } from '../queries.ts'
import classes from './record.module.css'

/** What a record says. */
export function RecordFacts(props: {
  readonly record: ModerationRecord
  readonly names: ActorNames
  readonly player: PlayerSummary | null
}) {
  const { record, names, player } = props
  const { id: workspaceId } = useWorkspace()
  const { action, userId, userUsername, reason, severity, actorUsername, actorPlatformUserId } = record
  return (
    <>
      <div className={classes.head}>
        <ModerationActionIcon action={action} size={20} />
        <div>
          <Link
            to="/w/$workspaceId/moderation/players/$userId"
            params={{ workspaceId, userId }}
            className={classes.player}
          >
            <PlayerLabel userId={userId} userUsername={player?.userUsername ?? userUsername} />
          </Link>
          <Text component="div" size="sm" fw={550} className={classes.state} data-status={record.status}>
            <StatusText record={record} />
          </Text>
          <OtherSanctions record={record} player={player} />
        </div>
      </div>
      <div className={classes.reason}>
        {reason === null ? (
          <em className={classes.quiet}>
            The texts of this case were redacted
            {record.redactedAt === null ? null : (
              <>
                , <FormattedTime value={record.redactedAt} />
              </>
            )}
            . They are gone for good.
          </em>
        ) : (
          <bdi>{reason}</bdi>
        )}
      </div>
      <RevocationNote record={record} names={names} />
      <dl className={classes.facts}>
        {player && userUsername !== null && userUsername !== player.userUsername ? (
          <Fact name="Called at the time">
            <bdi>{userUsername}</bdi>
          </Fact>
        ) : null}
        <Fact name="Severity">
          <SeverityBadge severity={severity} />
        </Fact>
        <Fact name="Recorded">
          <FormattedTime value={record.createdAt} format="dateTime" />
        </Fact>
        <Fact name="By">
          <bdi>{actorUsername ?? 'somebody'}</bdi>
          {actorPlatformUserId === null ? null : <> ({actorPlatformUserId} on the platform)</>}
        </Fact>
        {isSanctionKind(action) ? <DurationFacts record={record} /> : null}
        <Fact name="Seen by the player">
          {record.acknowledgedAt === null ? (
            'Not yet'
          ) : (
            <FormattedTime value={record.acknowledgedAt} format="dateTime" />
          )}
        </Fact>
      </dl>
    </>
  )
}

/** What holds the player now beside this record. */
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

const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

const DurationFacts = ({ record: { durationSeconds, expiresAt } }: { readonly record: ModerationRecord }) => (
  <>
    <Fact name="How long">
      {durationSeconds === null ? 'Without end' : formatSanctionDuration(Number(durationSeconds))}
    </Fact>
    <Fact name="Ends">
      {expiresAt === null ? 'Never by itself' : <FormattedTime value={expiresAt} format="dateTime" />}
    </Fact>
  </>
)

/** What has become of it, in words. */
function StatusText({ record: { action, status, expiresAt } }: { readonly record: ModerationRecord }) {
  const now = useNow()
  if (!isRecordAction(action)) return null
  const { past, noun } = actionInfo[action]
  if (status === 'revoked') return isSanctionKind(action) ? `${noun} lifted` : `${noun} taken back`
  if (!isSanctionKind(action)) return past
  if (status === 'active') return `${past} ${formatUntilWithRemaining(expiresAt, now)}`
  if (status === 'superseded') return `${noun} superseded by a newer one`
  return `${noun} expired`
}
