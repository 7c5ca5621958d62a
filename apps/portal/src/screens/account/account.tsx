import { Badge, Group, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMe } from '../../api/me.ts'
import { Screen } from '../../components/screen.tsx'
import { useHashTarget } from '../../components/use-hash-target.ts'
import { AppearanceCard } from './appearance-card.tsx'
import { DeleteAccountCard } from './delete-account-card.tsx'
import { EmailCard } from './email-card.tsx'
import { IdentitiesCard } from './identities-card.tsx'
import { passkeysQuery } from './passkeys.ts'
import { PasskeysCard } from './passkeys-card.tsx'
import { PasswordCard } from './password-card.tsx'
import { SecondFactorsCard } from './second-factors-card.tsx'
import { SecurityActivityCard } from './security-activity-card.tsx'
import { SessionsCard } from './sessions-card.tsx'

/** The user's own account: appearance, password, e-mail address, passkeys, second factors, sessions and what happened to it. */
export function Account() {
  const { username, isOperator } = useMe()
  // The cards below the passkeys, whose number is not known before, must not move.
  const { isPending } = useQuery(passkeysQuery)
  useHashTarget(!isPending)
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
        <EmailCard />
        <PasskeysCard />
        {isPending ? null : (
          <>
            <IdentitiesCard />
            <SecondFactorsCard />
            <SessionsCard />
            <SecurityActivityCard />
            <DeleteAccountCard />
          </>
        )}
      </Stack>
    </Screen>
  )
}
