import { useQuery } from '@tanstack/react-query'
import { useWorkspace } from '../../api/me.ts'
import { formatNumber } from '../../format/number.ts'
import { formatDuration } from '../../format/time.ts'
import { STATISTICS_DAYS, statisticsQuery } from './appeal-data.ts'
import classes from './appeals.module.css'

/** How many appeals are open, and how those of the last days were decided. */
export function Statistics() {
  const { id } = useWorkspace()
  const { data } = useQuery(statisticsQuery(id))
  const decided = Number(data?.decided ?? 0)
  const share = (count: string | undefined) =>
    decided === 0 ? '–' : `${Math.round((Number(count) / decided) * 100)}%`
  const median = data?.medianSeconds ?? null
  return (
    <dl className={classes.figures} aria-busy={data === undefined}>
      <Figure label="Open" value={data ? formatNumber(data.open) : ' '} />
      <Figure label={`Decided in ${STATISTICS_DAYS} days`} value={data ? formatNumber(data.decided) : ' '} />
      <Figure label="Median time" value={median === null ? '–' : formatDuration(Number(median))} />
      <Figure label="Ban lifted" value={share(data?.accepted)} />
      <Figure label="Ban shortened" value={share(data?.reduced)} />
    </dl>
  )
}

const Figure = ({ label, value }: { readonly label: string; readonly value: string }) => (
  <div>
    <dt>{label}</dt>
    <dd>{value}</dd>
  </div>
)
