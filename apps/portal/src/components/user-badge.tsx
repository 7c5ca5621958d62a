import { Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Initials } from './initials.tsx'

interface Props {
  readonly name: string
  /** A second line: a role, an address. */
  readonly note?: ReactNode
  readonly size?: 'sm' | 'md'
}

/** A person of the staff, or a key that acted. */
export const UserBadge = ({ name, note, size = 'sm' }: Props) => (
  <Group gap="xs" wrap="nowrap" component="span" display="inline-flex">
    <Initials name={name} size={size === 'sm' ? 24 : 36} />
    <span>
      <Text component="bdi" size="sm" fw={550}>
        {name}
      </Text>
      {note ? (
        <Text component="span" display="block" size="xs" c="dimmed">
          {note}
        </Text>
      ) : null}
    </span>
  </Group>
)
