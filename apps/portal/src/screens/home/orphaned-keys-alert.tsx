import { Alert, Anchor, Text } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useWorkspace } from '../../api/me.ts'
import { pluralize } from '../../format/number.ts'

/** API keys that still work although the person who created them is gone. */
export function OrphanedKeysAlert({ count }: { readonly count: number }) {
  const { id } = useWorkspace()
  return (
    <Alert
      color="yellow"
      mb="md"
      icon={<IconKey size={20} aria-hidden />}
      title={`${pluralize(count, 'API key works', 'API keys work')} although the creator is gone`}
    >
      Former members may have copies. Revoke what is not needed; rotating a key takes it over.
      <Text size="sm" mt="xs">
        <Anchor component={Link} to={`/w/${id}/configuration/api/keys`} inherit>
          API keys
        </Anchor>
      </Text>
    </Alert>
  )
}
