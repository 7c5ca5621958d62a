import { Progress, Text } from '@mantine/core'
import { pluralize } from '../format/number.ts'

/** From this share of the quota on, it is time to look. */
const WARNING_PERCENT = 80

interface Props {
  readonly used: number
  readonly quota: number
}

const toPercentUsed = ({ used, quota }: Props): number =>
  quota === 0 ? 100 : Math.min(100, (used / quota) * 100)

/** How much of a quota is used, as a bar. */
export function QuotaProgress({ label, ...usage }: Props & { readonly label: string }) {
  const percentUsed = toPercentUsed(usage)
  const color = percentUsed >= 100 ? 'red' : percentUsed >= WARNING_PERCENT ? 'yellow' : 'green'
  return <Progress value={percentUsed} color={color} aria-label={label} />
}

/** How much of what a workspace may ask for in a month it has asked for, and what comes of it. */
export function QuotaBar({ used, quota }: Props) {
  const percentUsed = toPercentUsed({ used, quota })
  return (
    <>
      <Text size="sm" c="dimmed" mb="xs">
        of {pluralize(quota, 'call')} that the quota allows
      </Text>
      <QuotaProgress used={used} quota={quota} label="Share of the quota that is used" />
      {percentUsed < WARNING_PERCENT ? null : (
        <Text size="sm" mt="xs">
          {percentUsed >= 100
            ? 'The quota is used up: writes are refused until the month (UTC) ends. Ban checks are still answered. An operator can raise it.'
            : `${Math.floor(percentUsed)}% is used. Past the quota writes are refused until the month (UTC) ends; an operator can raise it.`}
        </Text>
      )}
    </>
  )
}
