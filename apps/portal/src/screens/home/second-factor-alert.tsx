import { Alert, Anchor, Text } from '@mantine/core'
import { IconShieldLock } from '@tabler/icons-react'
import { Link, useLocation } from '@tanstack/react-router'
import { hasSecondFactor, useMe, useWorkspace } from '../../api/me.ts'
import { FormattedTime } from '../../components/formatted-time.tsx'

/** Says until when the user has to add a second factor to go on using the workspace. */
export function SecondFactorAlert() {
  const me = useMe()
  const { secondFactorDueAt } = useWorkspace()
  const { href } = useLocation()
  if (secondFactorDueAt === null || hasSecondFactor(me)) return null
  return (
    <Alert
      color="yellow"
      mb="md"
      icon={<IconShieldLock size={20} aria-hidden />}
      title="This workspace requires a second factor"
    >
      <Text size="sm">
        Your account has none. From <FormattedTime value={secondFactorDueAt} format="dateTime" /> on, you
        cannot use this workspace without one.
      </Text>
      <Text size="sm" mt="xs">
        <Anchor renderRoot={(props) => <Link to="/account" search={{ to: href }} {...props} />} inherit>
          Add a second factor
        </Anchor>
      </Text>
    </Alert>
  )
}
