import { Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useWorkspace } from '../../api/me.ts'
import { Card } from '../../components/card.tsx'
import { formatNumber } from '../../format/number.ts'
import classes from './home.module.css'
import type { OverviewSection } from './overview.ts'

/** The number of active bans and mutes. */
export function ActiveSanctionsCard({
  activeSanctions: { bans, mutes },
}: {
  readonly activeSanctions: OverviewSection<'inForce'>
}) {
  const { id: workspaceId } = useWorkspace()
  return (
    <Card title="Active sanctions">
      <div className={classes.totals}>
        <Link to="/w/$workspaceId/moderation/bans" params={{ workspaceId }} className={classes.total}>
          <span className={classes.count}>{formatNumber(bans)}</span>
          <Text component="span" size="sm" c="dimmed">
            {bans === '1' ? 'ban' : 'bans'}
          </Text>
        </Link>
        <div className={classes.total}>
          <span className={classes.count}>{formatNumber(mutes)}</span>
          <Text component="span" size="sm" c="dimmed">
            {mutes === '1' ? 'mute' : 'mutes'}
          </Text>
        </div>
      </div>
    </Card>
  )
}
