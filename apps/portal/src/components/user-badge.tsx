import { Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Initials } from './initials.tsx'

interface Props {
  readonly name: string
  /** A second line, such as a role or a time. */
  readonly note?: ReactNode
  readonly size?: 'sm' | 'md'
}

/** An account or API key by name. */
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
