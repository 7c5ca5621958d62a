import { Anchor, Text } from '@mantine/core'
import type { SanctionKind } from '@reeve/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useWorkspace } from '../../../api/me.ts'
import { FormattedTime } from '../../../components/formatted-time.tsx'
import { useNow } from '../../../format/use-now.ts'
import { actionInfo } from '../action-labels.ts'
import { PendingBadge, UNKNOWN_ACTOR } from '../badges.tsx'
import { formatUntilWithRemaining } from '../format-time.ts'
import type { ActiveSanction, OpenAppeal, PlayerSummary } from '../queries.ts'
import classes from './active-sanctions.module.css'
import { OpenAppealLink } from './open-appeal.tsx'

interface Props {
  readonly player: PlayerSummary | null
  /** In a dialog: without links that would leave it. */
  readonly isCompact?: boolean
  /** The buttons of an active ban or mute. */
  readonly actions?: (kind: SanctionKind, sanction: ActiveSanction) => ReactNode
}

/** The active ban and mute of a player. */
export function ActiveSanctions({ player, isCompact = false, actions }: Props) {
  const sanctions = (['ban', 'mute'] as const).flatMap((kind) => {
    const sanction = player?.[kind]
    return sanction ? [{ kind, sanction }] : []
  })
  if (sanctions.length === 0) {
    return (
      <p className={classes.noSanctions}>
        <IconCircleCheck size={20} stroke={1.7} aria-hidden />
        <span>
          <strong>Not banned, not muted</strong>
          {player === null ? '. This player has no cases.' : null}
        </span>
      </p>
    )
  }
  return (
    <>
      {sanctions.map(({ kind, sanction }) => (
        <SanctionCard
          key={kind}
          kind={kind}
          sanction={sanction}
          openAppeals={kind === 'ban' ? (player?.openAppeals ?? []) : []}
          isCompact={isCompact}
          actions={actions?.(kind, sanction)}
        />
      ))}
    </>
  )
}

function SanctionCard(props: {
  readonly kind: SanctionKind
  readonly sanction: ActiveSanction
  readonly openAppeals: readonly OpenAppeal[]
  readonly isCompact: boolean
  readonly actions: ReactNode
}) {
  const { kind, sanction, openAppeals, isCompact, actions } = props
  const { id: workspaceId } = useWorkspace()
  const now = useNow()
  const { past, icon: Icon, tone } = actionInfo[kind]
  const caseLabel = `Case ${sanction.caseNumber}`
  return (
    <div className={classes.sanction} data-tone={tone}>
      <Icon size={22} stroke={1.8} aria-hidden />
      <div className={classes.text}>
        <strong>
          {past} {formatUntilWithRemaining(sanction.expiresAt, now)}
        </strong>{' '}
        {sanction.waitsForApproval === 'true' ? <PendingBadge /> : null}
        <Text component="div" size="sm" lineClamp={isCompact ? 2 : 4}>
          {sanction.reason === null ? 'The reason was redacted.' : <bdi>{sanction.reason}</bdi>}
        </Text>
        <Text component="div" size="sm" className={classes.createdAt}>
          {isCompact ? (
            caseLabel
          ) : (
            <Anchor
              component={Link}
              to={`/w/${workspaceId}/moderation/cases/${sanction.id}`}
              className={classes.link}
            >
              {caseLabel}
            </Anchor>
          )}
          {' by '}
          <bdi>{sanction.actorUsername ?? UNKNOWN_ACTOR}</bdi>, since{' '}
          <FormattedTime value={sanction.occurredAt ?? sanction.createdAt} />
        </Text>
        {openAppeals.map((appeal) => (
          <Text key={appeal.id} component="div" size="sm">
            {isCompact ? 'Appeal open' : <OpenAppealLink appeal={appeal} />}
          </Text>
        ))}
      </div>
      {actions ? <div className={classes.actions}>{actions}</div> : null}
    </div>
  )
}

/** The active ban and mute in one line, for a list. */
export function SanctionSummary({ ban, mute }: Pick<PlayerSummary, 'ban' | 'mute'>) {
  const now = useNow()
  if (!ban && !mute) return <span className={classes.dimmed}>Not banned, not muted</span>
  return (
    <>
      {ban ? (
        <span className={classes.banned}>Banned {formatUntilWithRemaining(ban.expiresAt, now)}</span>
      ) : null}
      {ban?.waitsForApproval === 'true' ? (
        <>
          {' '}
          <PendingBadge />
        </>
      ) : null}
      {ban && mute ? ' · ' : null}
      {mute ? (
        <span className={classes.muted}>Muted {formatUntilWithRemaining(mute.expiresAt, now)}</span>
      ) : null}
    </>
  )
}
