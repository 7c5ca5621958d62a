import { Badge, Group, Stack } from '@mantine/core'
import { useMe } from '../../api/me.ts'
import { Screen } from '../../components/screen.tsx'
import { useHashTarget } from '../../components/use-hash-target.ts'
import { AppearanceCard } from './appearance-card.tsx'
import { PasswordCard } from './password-card.tsx'
import { SessionsCard } from './sessions-card.tsx'

/** The user's own account: appearance, password and sessions. */
export function Account() {
  const { username, isOperator } = useMe()
  useHashTarget(true)
  return (
    <Screen
      title="Your account"
      description={
        <Group gap="xs">
          <bdi>{username}</bdi>
          {isOperator ? <Badge variant="light">Operator of this instance</Badge> : null}
        </Group>
      }
    >
      <Stack gap="lg">
        <AppearanceCard />
        <PasswordCard />
        <SessionsCard />
      </Stack>
    </Screen>
  )
}
