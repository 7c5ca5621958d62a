import { Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useWorkspace } from '../../../api/me.ts'
import { PlainTime } from '../../../components/plain-time.tsx'
import { useNow } from '../../../format/use-now.ts'
import type { Entry, Held, KnownPlayer, Names } from '../data.ts'
import { ActionMark, PlayerMark, SeverityBadge } from '../marks.tsx'
import { StandingLine } from '../standing.tsx'
import { Lifted } from '../timeline.tsx'
import { sayLength, sayUntilLeft } from '../when.ts'
import { isRestraint, isVerb, wordsOf } from '../words.ts'
import classes from './case.module.css'

/** What a record says. */
export function CaseFacts(props: {
  readonly record: Entry
  readonly names: Names
  readonly player: KnownPlayer | null
}) {
  const { record, names, player } = props
  const { id: workspaceId } = useWorkspace()
  const { action, userId, userUsername, reason, severity, actorUsername, actorPlatformUserId } = record
  return (
    <>
      <div className={classes.head}>
        <ActionMark action={action} size={20} />
        <div>
          <Link
            to="/w/$workspaceId/moderation/players/$userId"
            params={{ workspaceId, userId }}
            className={classes.player}
          >
            <PlayerMark userId={userId} userUsername={player?.userUsername ?? userUsername} />
          </Link>
          <Text component="div" size="sm" fw={550} className={classes.state} data-status={record.status}>
            <State record={record} />
          </Text>
          <Else record={record} player={player} />
        </div>
      </div>
      <div className={classes.reason}>
        {reason === null ? (
          <em className={classes.quiet}>
            The texts of this case were redacted
            {record.redactedAt === null ? null : (
              <>
                , <PlainTime at={record.redactedAt} />
              </>
            )}
            . They are gone for good.
          </em>
        ) : (
          <bdi>{reason}</bdi>
        )}
      </div>
      <Lifted entry={record} names={names} />
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
          <PlainTime at={record.createdAt} as="dateTime" />
        </Fact>
        <Fact name="By">
          <bdi>{actorUsername ?? 'somebody'}</bdi>
          {actorPlatformUserId === null ? null : <> ({actorPlatformUserId} on the platform)</>}
        </Fact>
        {isRestraint(action) ? <Length record={record} /> : null}
        <Fact name="Seen by the player">
          {record.acknowledgedAt === null ? (
            'Not yet'
          ) : (
            <PlainTime at={record.acknowledgedAt} as="dateTime" />
          )}
        </Fact>
      </dl>
    </>
  )
}

/** What holds the player now beside this record. */
function Else({ record, player }: { readonly record: Entry; readonly player: KnownPlayer | null }) {
  if (player === null) return null
  const other = (held: Held | null) => (held?.id === record.id ? null : held)
  const [ban, mute] = [other(player.ban), other(player.mute)]
  const isHeldByThis = ban !== player.ban || mute !== player.mute
  if (isHeldByThis && ban === null && mute === null) return null
  return (
    <Text component="div" size="sm">
      {isHeldByThis ? 'Also: ' : 'Now: '}
      <StandingLine ban={ban} mute={mute} />
    </Text>
  )
}

const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

const Length = ({ record: { durationSeconds, expiresAt } }: { readonly record: Entry }) => (
  <>
    <Fact name="How long">
      {durationSeconds === null ? 'Without end' : sayLength(Number(durationSeconds))}
    </Fact>
    <Fact name="Ends">
      {expiresAt === null ? 'Never by itself' : <PlainTime at={expiresAt} as="dateTime" />}
    </Fact>
  </>
)

/** What has become of it, in words. */
function State({ record: { action, status, expiresAt } }: { readonly record: Entry }) {
  const now = useNow()
  if (!isVerb(action)) return null
  const { past, noun } = wordsOf[action]
  if (status === 'revoked') return isRestraint(action) ? `${noun} lifted` : `${noun} taken back`
  if (!isRestraint(action)) return past
  if (status === 'active') return `${past} ${sayUntilLeft(expiresAt, now)}`
  if (status === 'superseded') return `${noun} superseded by a newer one`
  return `${noun} expired`
}
