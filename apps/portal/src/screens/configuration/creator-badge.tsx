import { Badge } from '@mantine/core'
import type { ApiKey } from './api-keys/key-data.ts'

const labels = { left: 'has left', disabled: 'is disabled', deleted: 'was deleted' } as const

interface Props {
  readonly status: ApiKey['creatorStatus']
}

/** Marks what still works although its creator is gone. */
export const CreatorBadge = ({ status }: Props) =>
  status === 'member' ? null : (
    <Badge variant="light" color="red">
      Creator {labels[status]}
    </Badge>
  )
