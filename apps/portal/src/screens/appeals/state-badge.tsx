import { Badge } from '@mantine/core'
import { findStateLabel } from './appeal-data.ts'

/** The state of an appeal. */
export const StateBadge = ({ state }: { readonly state: string }) => {
  const { label, color } = findStateLabel(state)
  return (
    <Badge color={color} variant="light">
      {label}
    </Badge>
  )
}
