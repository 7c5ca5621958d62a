import { Anchor, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useWorkspace } from '../../api/me.ts'
import { Card } from '../../components/card.tsx'
import { QuotaBar } from '../../components/quota-bar.tsx'
import { formatNumber, pluralize } from '../../format/number.ts'
import activityClasses from './activity.module.css'
import classes from './home.module.css'
import type { OverviewSection } from './overview.ts'

/** The requests of the current month compared to the quota. */
export function UsageCard({ usage: { calls, quota } }: { readonly usage: OverviewSection<'usage'> }) {
  const { id } = useWorkspace()
  const to: string = `/w/${id}/configuration/api/usage`
  return (
    <Card
      title="Usage this month"
      actions={
        <Anchor component={Link} to={to} size="sm" data-tap>
          Details
        </Anchor>
      }
    >
      <Link
        to={to}
        className={`${activityClasses.link} ${classes.usage}`}
        aria-label={`${pluralize(calls, 'request')} this month`}
      >
        <span className={classes.count}>{formatNumber(calls)}</span>
      </Link>
      {quota === null ? (
        <Text size="sm" c="dimmed">
          {calls === '1' ? 'request' : 'requests'}, no quota
        </Text>
      ) : (
        <QuotaBar used={Number(calls)} quota={Number(quota)} />
      )}
    </Card>
  )
}
