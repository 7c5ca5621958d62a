import { Progress, Text } from '@mantine/core'
import { count } from '../format/number.ts'

/** From this share of the quota on, it is time to look. */
const NEAR = 80

interface Props {
  readonly calls: number
  readonly quota: number
}

const shareOf = ({ calls, quota }: Props): number =>
  quota === 0 ? 100 : Math.min(100, (calls / quota) * 100)

/** How much of a quota is used, as a bar. */
export function QuotaProgress({ label, ...of }: Props & { readonly label: string }) {
  const share = shareOf(of)
  const color = share >= 100 ? 'red' : share >= NEAR ? 'yellow' : 'green'
  return <Progress value={share} color={color} aria-label={label} />
}

/** How much of what a workspace may ask for in a month it has asked for, and what comes of it. */
export function QuotaBar({ calls, quota }: Props) {
  const share = shareOf({ calls, quota })
  return (
    <>
      <Text size="sm" c="dimmed" mb="xs">
        of {count(quota, 'call')} that the quota allows
      </Text>
      <QuotaProgress calls={calls} quota={quota} label="Share of the quota that is used" />
      {share < NEAR ? null : (
        <Text size="sm" mt="xs">
          {share >= 100
            ? 'The quota is used up: writes are refused until the month (UTC) ends. Ban checks are still answered. An operator can raise it.'
            : `${Math.floor(share)}% is used. Past the quota writes are refused until the month (UTC) ends; an operator can raise it.`}
        </Text>
      )}
    </>
  )
}
