import { Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useWorkspace } from '../../api/me.ts'
import { Card } from '../../components/card.tsx'
import { formatNumber } from '../../format/number.ts'
import classes from './home.module.css'
import type { OverviewSection } from './overview.ts'

/** The number of active bans and mutes, each with a link to its list. */
export function ActiveSanctionsCard({
  activeSanctions: { bans, mutes },
}: {
  readonly activeSanctions: OverviewSection<'inForce'>
}) {
  const { id: workspaceId } = useWorkspace()
  return (
    <Card title="Active sanctions">
      <div className={classes.totals}>
        <Total count={bans} noun="ban" to={`/w/${workspaceId}/moderation/bans`} />
        <Total count={mutes} noun="mute" to={`/w/${workspaceId}/moderation/mutes`} />
      </div>
    </Card>
  )
}

const Total = ({
  count,
  noun,
  to,
}: {
  readonly count: string
  readonly noun: string
  readonly to: string
}) => (
  <Link to={to} className={classes.total}>
    <span className={classes.count}>{formatNumber(count)}</span>
    <Text component="span" size="sm" c="dimmed">
      {count === '1' ? noun : `${noun}s`}
    </Text>
  </Link>
)
