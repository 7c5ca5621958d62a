import { Button, Group, Stack, Text } from '@mantine/core'
import { CopyField } from '../../components/copy-field.tsx'
import { FormattedTime } from '../../components/formatted-time.tsx'

/** What the server returns once. */
export interface CreatedLink {
  readonly token: string
  readonly expiresAt: string
}

interface Props {
  readonly username: string
  readonly link: CreatedLink
  readonly close: () => void
}

/** A link with which the owner of an account sets a password, shown only once. */
export const PasswordLink = ({ username, link, close }: Props) => (
  <Stack gap="md">
    <CopyField label="Link" value={`${location.origin}/sign-in/password#${link.token}`} />
    <Text size="sm">
      Send this link to <bdi>{username}</bdi> only: the first person who opens it sets the password. It works
      once, until <FormattedTime value={link.expiresAt} format="dateTime" />, and replaces earlier links.
    </Text>
    <Text size="sm" c="dimmed">
      It is shown only once. You can create another one from the menu of the account.
    </Text>
    <Group justify="flex-end">
      <Button onClick={close}>Done</Button>
    </Group>
  </Stack>
)
