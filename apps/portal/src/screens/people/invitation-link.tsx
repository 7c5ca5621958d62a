import { Button, Group, Stack, Text } from '@mantine/core'
import { CopyField } from '../../components/copy-field.tsx'
import { FormattedTime } from '../../components/formatted-time.tsx'
import { RoleBadge } from '../../components/role-badge.tsx'
import { buildInvitationUrl, type CreatedInvitation } from './people-data.ts'

/** The link of a new invitation, shown only once. */
export const InvitationLink = ({
  invitation,
  token,
  close,
}: CreatedInvitation & { readonly close: () => void }) => (
  <Stack gap="md">
    <CopyField label="Invitation link" value={buildInvitationUrl(token)} />
    <Text size="sm">
      Send this link only to the person you want to invite: the first person who opens it can join. It works
      once, until <FormattedTime value={invitation.expiresAt} format="dateTime" />.
    </Text>
    <div>
      <Text size="sm" fw={550} mb={4}>
        Roles
      </Text>
      {invitation.roles.length === 0 ? (
        <Text size="sm" c="dimmed">
          No roles. The new member cannot do anything until you give them one.
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
      The link is shown only once. If it is lost, withdraw the invitation and create a new one.
    </Text>
    <Group justify="flex-end">
      <Button onClick={close}>Done</Button>
    </Group>
  </Stack>
)
