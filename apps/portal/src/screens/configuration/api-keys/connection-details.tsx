import { Anchor, SimpleGrid, Text } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import { useWorkspace } from '../../../api/me.ts'
import { Card } from '../../../components/card.tsx'
import { CopyField } from '../../../components/copy-field.tsx'

/** What a program needs in addition to a key: the base URL and the workspace id. */
export function ConnectionDetails() {
  const { id } = useWorkspace()
  return (
    <Card
      title="Connection details"
      actions={
        <Anchor href="/docs" target="_blank" size="sm" data-tap>
          API reference <IconExternalLink size={14} aria-hidden />
        </Anchor>
      }
    >
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <CopyField label="Base URL" value={`${window.location.origin}/api`} />
        <CopyField label="Workspace ID" value={id} />
      </SimpleGrid>
      <Text size="sm" c="dimmed" mt="sm">
        Send the key as <code>Authorization: Bearer …</code> and the workspace as <code>workspaceId</code>.
        The API reference has an example for every request.
      </Text>
    </Card>
  )
}
