import { Alert, Anchor, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useWorkspace } from '../../api/me.ts'
import { pluralize } from '../../format/number.ts'
import type { BatchPreview } from './batch-data.ts'

/** What the audit log calls the changes of everything but cases. */
const kindLabels: Readonly<Record<string, string>> = {
  appeal: 'Appeals',
  appeal_settings: 'Appeal form',
  retention: 'Retention rules',
  assignment: 'Assignments',
  pinned_note: 'Pinned notes',
  player_link: 'Links between players',
  saved_view: 'Shared views',
  template: 'Templates',
  ladder: 'Ladders',
  event: 'Events',
  department: 'Departments',
  member: 'Members',
  invitation: 'Invitations',
  role: 'Roles',
  api_key: 'API keys',
  webhook: 'Webhooks',
  endpoint_control: 'Endpoint controls',
  workspace: 'Workspace settings and downloads',
  import: 'Imports',
  erasure: 'Erasures',
}

interface Props {
  readonly preview: BatchPreview
  readonly actorId: string
  /** In the time zone of the browser: `2026-03-01T18:00`. */
  readonly since: string
}

/** What an undo leaves alone: changes of anything but cases, and what the same person did as somebody else. */
export function BeyondUndo({ preview: { otherChanges, otherActors }, actorId, since }: Props) {
  const { id: workspaceId } = useWorkspace()
  if (!otherChanges?.length && otherActors.length === 0) return null
  return (
    <Alert color="yellow" title="This undo is not everything">
      <Stack gap="xs">
        {otherActors.map(({ actorUserId, actorUsername, count }) => (
          <Text key={actorUserId} size="sm">
            The same person also changed cases as <bdi>{actorUsername || 'an unknown actor'}</bdi>:{' '}
            {pluralize(count, 'change')}.{' '}
            <Anchor
              size="sm"
              underline="always"
              renderRoot={(props) => (
                <Link
                  {...props}
                  to={`/w/${workspaceId}/batches`}
                  search={{ new: 'undo', actor: actorUserId, since } as never}
                />
              )}
            >
              Undo these too…
            </Anchor>
          </Text>
        ))}
        {otherChanges?.length ? (
          <Text size="sm">
            They also changed what an undo leaves alone:{' '}
            {otherChanges.map(({ kind, count }) => `${kindLabels[kind] ?? kind}: ${count}`).join(' · ')}.{' '}
            <Anchor
              size="sm"
              underline="always"
              renderRoot={(props) => (
                <Link
                  {...props}
                  to={`/w/${workspaceId}/audit`}
                  search={{ who: actorId, from: since.slice(0, 10) } as never}
                />
              )}
            >
              See them in the audit log
            </Anchor>
          </Text>
        ) : null}
      </Stack>
    </Alert>
  )
}
