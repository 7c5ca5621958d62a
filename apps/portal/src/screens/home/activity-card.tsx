import { Anchor, Badge, Group, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useHasPermission, useWorkspace } from '../../api/me.ts'
import { Card } from '../../components/card.tsx'
import { UserBadge } from '../../components/user-badge.tsx'
import { pluralize } from '../../format/number.ts'
import classes from './home.module.css'
import type { OverviewSection } from './overview.ts'

/** What each action of moderation is called where it is counted: one, several. */
const actionNouns: Readonly<Record<string, readonly [string, string]>> = {
  note: ['note', 'notes'],
  warn: ['warning', 'warnings'],
  kick: ['kick', 'kicks'],
  mute: ['mute', 'mutes'],
  ban: ['ban', 'bans'],
  unmute: ['mute lifted', 'mutes lifted'],
  unban: ['ban lifted', 'bans lifted'],
  edit: ['edit', 'edits'],
  extend: ['end moved', 'ends moved'],
  comment: ['comment', 'comments'],
  evidence: ['piece of evidence', 'pieces of evidence'],
  acknowledge: ['seen by its player', 'seen by their players'],
  revoke: ['record taken back', 'records taken back'],
  redact: ['redaction', 'redactions'],
}

/** How many of those who acted most are named. */
const MAX_ACTORS = 5

/** What moderation did since the day began, and who. */
export function ActivityCard({
  activity: { complete, actions, actors },
}: {
  readonly activity: OverviewSection<'done'>
}) {
  const { id: workspaceId } = useWorkspace()
  const canViewAudit = useHasPermission('audit.view')
  return (
    <Card
      title="Done today"
      actions={
        canViewAudit ? (
          <Anchor component={Link} to={`/w/${workspaceId}/audit`} size="sm">
            Audit log
          </Anchor>
        ) : null
      }
    >
      {actors.length === 0 ? (
        <Text size="sm" c="dimmed">
          Nothing yet. What moderation does from midnight on, and who does it, is counted here.
        </Text>
      ) : (
        <>
          <Group gap={6} mb="xs">
            {actions.map(({ action, count: total }) => (
              <Badge
                key={action}
                variant="light"
                color={action === 'ban' ? 'red' : 'gray'}
                size="lg"
                radius="sm"
              >
                {pluralize(total, ...(actionNouns[action] ?? [action, action]))}
              </Badge>
            ))}
          </Group>
          <ul className={classes.list} aria-label="Actor">
            {actors.slice(0, MAX_ACTORS).map(({ actorId, actorKind, actorName, count: total }) => (
              <li key={actorId} className={classes.row}>
                <UserBadge name={actorName} note={actorKind === 'api_key' ? 'API key' : null} />
                <span className={classes.tally}>{pluralize(total, 'action')}</span>
              </li>
            ))}
          </ul>
          {actors.length > MAX_ACTORS ? (
            <Text size="sm" c="dimmed" mt="xs">
              And {pluralize(actors.length - MAX_ACTORS, 'other')}.
            </Text>
          ) : null}
          {complete === 'true' ? null : (
            <Text size="sm" c="dimmed" mt="xs">
              So much was done today that only the newest is counted.
            </Text>
          )}
        </>
      )}
    </Card>
  )
}
