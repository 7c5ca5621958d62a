import { Button, Group, Stack, Text } from '@mantine/core'
import { CopyField } from '../../components/copy-field.tsx'
import { FormattedTime } from '../../components/formatted-time.tsx'
import { RoleBadge } from '../../components/role-badge.tsx'
import { buildInvitationUrl, type CreatedInvitation } from './people-data.ts'

/** The link of a new invitation: shown this once. */
export const InvitationLink = ({
  invitation,
  token,
  close,
}: CreatedInvitation & { readonly close: () => void }) => (
  <Stack gap="md">
    <CopyField label="Invitation link" value={buildInvitationUrl(token)} />
    <Text size="sm">
      Send it to the one person it is for: whoever opens it first can join. It can be accepted once, until{' '}
      <FormattedTime value={invitation.expiresAt} format="dateTime" />.
    </Text>
    <div>
      <Text size="sm" fw={550} mb={4}>
        It gives
      </Text>
      {invitation.roles.length === 0 ? (
        <Text size="sm" c="dimmed">
          No role. Whoever joins may not do anything until they are given one.
        </Text>
      ) : (
        <Group gap={6}>
          {invitation.roles.map((role) => (
            <RoleBadge key={role.id} role={role} />
          ))}
        </Group>
      )}
    </div>
    <Text size="sm" c="dimmed">
      The link is shown this once and cannot be read again. If it is lost, withdraw the invitation and make
      another.
    </Text>
    <Group justify="flex-end">
      <Button onClick={close}>Done</Button>
    </Group>
  </Stack>
)
