import { Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Screen } from '../../components/screen.tsx'
import { ModerationTabs } from './moderation-tabs.tsx'

interface Props {
  readonly title: string
  readonly description: string
  /** Buttons beside the description. */
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** A moderation screen with its tabs. What differs in height is below them, so that the next one is where it was. */
export const ModerationScreen = ({ title, description, actions, children }: Props) => (
  <Screen title={title}>
    <ModerationTabs />
    <Group justify="space-between" gap="sm" mb="sm" wrap="nowrap">
      <Text c="dimmed" size="sm">
        {description}
      </Text>
      {actions ? (
        <Group gap="xs" wrap="nowrap">
          {actions}
        </Group>
      ) : null}
    </Group>
    {children}
  </Screen>
)
