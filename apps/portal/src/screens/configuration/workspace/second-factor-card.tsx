import { Alert, Anchor, Button, Group, Skeleton, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { SecondFactorPolicy } from '@reeve/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { hasSecondFactor, useMe, useWorkspace } from '../../../api/me.ts'
import { Card } from '../../../components/card.tsx'
import { ErrorState } from '../../../components/empty-error-loading.tsx'
import { WriteGuard } from '../../../components/endpoint-state.tsx'
import { loadOnOpen } from '../../../components/load-on-open.tsx'
import { PermissionList } from '../../../components/permission-checkboxes.tsx'
import { useAfterFirstScreen } from '../../../components/use-after-first-screen.ts'
import { pluralize } from '../../../format/number.ts'
import { type PolicyState, secondFactorPolicyQuery } from './second-factor-policy.ts'

const PolicyDialog = loadOnOpen(
  async () => (await import('./second-factor-dialog.tsx')).SecondFactorDialog,
  ({ isOpen }) => isOpen,
  ({ close }) => close(),
)

/** Of whom the workspace requires a second factor. Only for the owner. */
export function SecondFactorCard() {
  const { id } = useWorkspace()
  const isDue = useAfterFirstScreen()
  const { data, error, refetch } = useQuery({ ...secondFactorPolicyQuery(id), enabled: isDue })
  return (
    <Card title="Second factors">
      {data ? <CardContent state={data} /> : null}
      {error && !data ? <ErrorState error={error} retry={() => void refetch()} /> : null}
      {data || error ? null : <Skeleton h={90} />}
    </Card>
  )
}

function CardContent({ state: { policy, membersWithout } }: { readonly state: PolicyState }) {
  const [isOpen, dialog] = useDisclosure(false)
  const canRequire = hasSecondFactor(useMe())
  return (
    <>
      {policy === null ? (
        <Text size="sm" c="dimmed">
          You can require a second factor, such as a passkey or an authenticator app, of members whose roles
          have permissions that you choose. API keys are not affected.
        </Text>
      ) : (
        <PolicyText policy={policy} membersWithout={membersWithout} />
      )}
      {canRequire || policy !== null ? (
        <Group mt="md">
          <WriteGuard endpoint={null}>
            <Button variant="default" onClick={dialog.open}>
              {policy === null ? 'Require second factors…' : 'Change…'}
            </Button>
          </WriteGuard>
        </Group>
      ) : (
        <Alert color="blue" mt="md" title="Your own account has no second factor yet">
          <Text size="sm">
            Before you can require one of others,{' '}
            <Anchor component={Link} to="/account" underline="always" inherit>
              add one to your account
            </Anchor>
            .
          </Text>
        </Alert>
      )}
      <PolicyDialog isOpen={isOpen} close={dialog.close} policy={policy} />
    </>
  )
}

interface PolicyTextProps extends Pick<PolicyState, 'membersWithout'> {
  readonly policy: SecondFactorPolicy
}

function PolicyText({ policy: { permissions, graceDays }, membersWithout }: PolicyTextProps) {
  const { id } = useWorkspace()
  return (
    <>
      <Text size="sm">
        Members need a second factor if one of their roles has one of{' '}
        {pluralize(permissions.length, 'permission')}.{' '}
        {graceDays === 0
          ? 'There is no grace period.'
          : `They have ${pluralize(graceDays, 'day')} to add one.`}
      </Text>
      <Text size="sm" mt="xs" mb="xs">
        {membersWithout === 0 ? (
          'All members who need one have one.'
        ) : (
          <Anchor
            renderRoot={(props) => (
              <Link
                to="/w/$workspaceId/people"
                params={{ workspaceId: id }}
                search={{ factor: 'missing' }}
                {...props}
              />
            )}
            inherit
          >
            {pluralize(membersWithout, 'member who needs one has none', 'members who need one have none')}
          </Anchor>
        )}
      </Text>
      <details>
        <Text component="summary" size="sm">
          The permissions
        </Text>
        <PermissionList permissions={permissions} />
      </details>
    </>
  )
}
