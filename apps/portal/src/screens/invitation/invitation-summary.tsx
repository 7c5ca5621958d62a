import { Alert, Group, Stack, Text } from '@mantine/core'
import { IconArchive } from '@tabler/icons-react'
import { FormattedTime } from '../../components/formatted-time.tsx'
import { RoleBadge } from '../../components/role-badge.tsx'

interface Props {
  readonly invitation: {
    readonly groupName: string
    readonly status: 'active' | 'archived'
    readonly roles: readonly { readonly id: string; readonly name: string; readonly color: string | null }[]
    readonly expiresAt: string
  }
}

/** The roles and the expiry of an invitation. */
export const InvitationSummary = ({ invitation: { groupName, status, roles, expiresAt } }: Props) => (
  <Stack gap="xs" mt="md">
    {roles.length === 0 ? (
      <Text size="sm">No roles yet: you will be given one after you join.</Text>
    ) : (
      <Group gap={6}>
        <Text size="sm">You get</Text>
        {roles.map((role) => (
          <RoleBadge key={role.id} role={role} />
        ))}
      </Group>
    )}
    <Text size="sm" c="dimmed">
      Valid until <FormattedTime value={expiresAt} format="dateTime" />.
    </Text>
    {status === 'archived' ? (
      <Alert color="yellow" icon={<IconArchive size={18} aria-hidden />}>
        <bdi>{groupName}</bdi> is archived. You can join once it has been restored: open this link again then.
      </Alert>
    ) : null}
  </Stack>
)
