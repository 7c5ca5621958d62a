import { Text } from '@mantine/core'
import { useNow } from '../format/use-now.ts'

interface Props {
  /** Null if nobody works on it. */
  readonly claim: { readonly username: string; readonly expiresAt: string } | null
}

/** Says in a list who works on a case or an appeal; nothing once the claim has expired. */
export function ClaimHolder({ claim }: Props) {
  const now = useNow()
  if (claim === null || Date.parse(claim.expiresAt) <= now) return null
  return (
    <Text size="sm" c="dimmed">
      <bdi>{claim.username}</bdi> works on it
    </Text>
  )
}
