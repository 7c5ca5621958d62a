import { Anchor, Text } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useWorkspace } from '../../api/me.ts'
import { PlainTime } from '../../components/plain-time.tsx'
import { useNow } from '../../format/use-now.ts'
import type { Held, KnownPlayer } from './data.ts'
import classes from './standing.module.css'
import { sayUntilLeft } from './when.ts'
import { type Restraint, wordsOf } from './words.ts'

interface Props {
  readonly player: KnownPlayer | null
  /** Within a dialog: no links that would lead away from it. */
  readonly isCompact?: boolean
  /** What can be done about a ban or mute that is in force. */
  readonly actions?: (kind: Restraint, held: Held) => ReactNode
}

/** What holds a player now, in plain words. */
export function Standing({ player, isCompact = false, actions }: Props) {
  const held = (['ban', 'mute'] as const).flatMap((kind) => {
    const one = player?.[kind]
    return one ? [{ kind, one }] : []
  })
  if (held.length === 0) {
    return (
      <p className={classes.free}>
        <IconCircleCheck size={20} stroke={1.7} aria-hidden />
        <span>
          <strong>Not banned, not muted</strong>
          {player === null ? '. There are no records of this player yet.' : null}
        </span>
      </p>
    )
  }
  return (
    <>
      {held.map(({ kind, one }) => (
        <HeldNow key={kind} kind={kind} held={one} isCompact={isCompact} actions={actions?.(kind, one)} />
      ))}
    </>
  )
}

function HeldNow(props: {
  readonly kind: Restraint
  readonly held: Held
  readonly isCompact: boolean
  readonly actions: ReactNode
}) {
  const { kind, held, isCompact, actions } = props
  const { id: workspaceId } = useWorkspace()
  const now = useNow()
  const { past, icon: Icon, tone } = wordsOf[kind]
  const number = `Case ${held.caseNumber}`
  return (
    <div className={classes.held} data-tone={tone}>
      <Icon size={22} stroke={1.8} aria-hidden />
      <div className={classes.text}>
        <strong>
          {past} {sayUntilLeft(held.expiresAt, now)}
        </strong>
        <Text component="div" size="sm" lineClamp={isCompact ? 2 : 4}>
          {held.reason === null ? 'The reason was redacted.' : <bdi>{held.reason}</bdi>}
        </Text>
        <Text component="div" size="sm" className={classes.since}>
          {isCompact ? (
            number
          ) : (
            <Anchor
              component={Link}
              to={`/w/${workspaceId}/moderation/cases/${held.id}`}
              className={classes.link}
            >
              {number}
            </Anchor>
          )}
          , since <PlainTime at={held.createdAt} />
        </Text>
      </div>
      {actions ? <div className={classes.actions}>{actions}</div> : null}
    </div>
  )
}

/** The same in a line, for a list. */
export function StandingLine({ ban, mute }: Pick<KnownPlayer, 'ban' | 'mute'>) {
  const now = useNow()
  if (!ban && !mute) return <span className={classes.quiet}>Not banned, not muted</span>
  return (
    <>
      {ban ? <span className={classes.bad}>Banned {sayUntilLeft(ban.expiresAt, now)}</span> : null}
      {ban && mute ? ' · ' : null}
      {mute ? <span className={classes.warn}>Muted {sayUntilLeft(mute.expiresAt, now)}</span> : null}
    </>
  )
}
