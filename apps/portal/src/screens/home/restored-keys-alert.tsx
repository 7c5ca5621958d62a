import { Alert, Anchor, Text } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useWorkspace } from '../../api/me.ts'
import { pluralize } from '../../format/number.ts'

/** API keys that a restore has brought back and that nobody has confirmed. */
export function RestoredKeysAlert({ count }: { readonly count: number }) {
  const { id } = useWorkspace()
  return (
    <Alert
      color="yellow"
      mb="md"
      icon={<IconKey size={20} aria-hidden />}
      title={`${pluralize(count, 'API key waits', 'API keys wait')} for confirmation`}
    >
      <Text size="sm">
        This instance was restored from a backup. Its keys work, also those that were revoked since the
        backup. Confirm the keys that are still in use, and revoke the others.
      </Text>
      <Text size="sm" mt="xs">
        <Anchor component={Link} to={`/w/${id}/configuration/api/keys`} inherit>
          API keys
        </Anchor>
      </Text>
    </Alert>
  )
}
