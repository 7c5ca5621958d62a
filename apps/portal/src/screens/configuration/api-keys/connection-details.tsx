import { Anchor, SimpleGrid, Text } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import { useWorkspace } from '../../../api/me.ts'
import { Card } from '../../../components/card.tsx'
import { CopyField } from '../../../components/copy-field.tsx'

/** What a program needs besides a key. */
export function ConnectionDetails() {
  const { id } = useWorkspace()
  return (
    <Card
      title="Where programs call"
      actions={
        <Anchor href="/docs" target="_blank" size="sm">
          API reference <IconExternalLink size={14} aria-hidden />
        </Anchor>
      }
    >
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <CopyField label="Address" value={`${window.location.origin}/api`} />
        <CopyField label="Workspace id" value={id} />
      </SimpleGrid>
      <Text size="sm" c="dimmed" mt="sm">
        Programs send the key as <code>Authorization: Bearer …</code> and name the workspace as{' '}
        <code>workspaceId</code>. The reference has an example of every call.
      </Text>
    </Card>
  )
}
