import { Progress, Text } from '@mantine/core'
import { QUOTA_WARNING_PERCENT } from '@reeve/core'
import { pluralize } from '../format/number.ts'

interface Props {
  readonly used: number
  readonly quota: number
}

const toPercentUsed = ({ used, quota }: Props): number =>
  quota === 0 ? 100 : Math.min(100, (used / quota) * 100)

/** A progress bar of the used quota. */
export function QuotaProgress({ label, ...usage }: Props & { readonly label: string }) {
  const percentUsed = toPercentUsed(usage)
  const color = percentUsed >= 100 ? 'red' : percentUsed >= QUOTA_WARNING_PERCENT ? 'yellow' : 'green'
  return <Progress value={percentUsed} color={color} aria-label={label} />
}

/** The share of the monthly quota that is used, with a warning when it runs out. */
export function QuotaBar({ used, quota }: Props) {
  const percentUsed = toPercentUsed({ used, quota })
  return (
    <>
      <Text size="sm" c="dimmed" mb="xs">
        of the quota of {pluralize(quota, 'request')}
      </Text>
      <QuotaProgress used={used} quota={quota} label="Used quota" />
      {percentUsed < QUOTA_WARNING_PERCENT ? null : (
        <Text size="sm" mt="xs">
          {percentUsed >= 100
            ? 'The quota is used up: API keys cannot make changes until the end of the month (UTC). Ban checks still work, and staff can still moderate here. An operator can raise the quota.'
            : `${Math.floor(percentUsed)}% used. Once the quota is used up, API keys cannot make changes until the end of the month (UTC). An operator can raise the quota.`}
        </Text>
      )}
    </>
  )
}
