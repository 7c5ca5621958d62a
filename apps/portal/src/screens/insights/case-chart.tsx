import { Text } from '@mantine/core'
import { formatNumber, pluralize } from '../../format/number.ts'
import classes from './case-chart.module.css'
import type { CountRow } from './count-table.tsx'
import { sumCounts } from './share.ts'

/** The table below has the others. */
const MAX_BARS = 10

/** A bar for each of the moderators or reasons with the most cases. @param rows most cases first */
export function CaseChart({ label, rows }: { readonly label: string; readonly rows: readonly CountRow[] }) {
  const bars = rows.slice(0, MAX_BARS).map((row) => ({ ...row, cases: sumCounts(row.counts) }))
  const highest = Math.max(1, ...bars.map(({ cases }) => cases))
  if (bars.length === 0) return null
  return (
    <div className={classes.chart}>
      <Text component="h3" fw={600} size="sm" m={0}>
        Cases{' '}
        <Text component="span" size="sm" c="dimmed" fw={400}>
          {rows.length > MAX_BARS ? `the ${MAX_BARS} with the most of ${formatNumber(rows.length)}` : null}
        </Text>
      </Text>
      <ol className={classes.bars} aria-label={label}>
        {bars.map(({ key, name, cases }) => (
          <li key={key} className={classes.entry}>
            <span className={classes.name}>{name}</span>
            <span className={classes.value}>{pluralize(cases, 'case')}</span>
            <span
              data-bar
              className={classes.bar}
              style={{ width: `${(cases / highest) * 100}%` }}
              aria-hidden
            />
          </li>
        ))}
      </ol>
    </div>
  )
}
