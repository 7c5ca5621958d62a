import { Anchor, Badge, Group, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useHasPermission, useWorkspace } from '../../api/me.ts'
import { Card } from '../../components/card.tsx'
import { UserBadge } from '../../components/user-badge.tsx'
import { pluralize } from '../../format/number.ts'
import classes from './home.module.css'
import type { OverviewSection } from './overview.ts'

/** Nouns for counts of moderation actions: singular and plural. */
const actionNouns: Readonly<Record<string, readonly [string, string]>> = {
  note: ['note', 'notes'],
  warn: ['warning', 'warnings'],
  kick: ['kick', 'kicks'],
  mute: ['mute', 'mutes'],
  ban: ['ban', 'bans'],
  unmute: ['mute lifted', 'mutes lifted'],
  unban: ['ban lifted', 'bans lifted'],
  edit: ['edit', 'edits'],
  extend: ['expiry changed', 'expiries changed'],
  comment: ['comment', 'comments'],
  evidence: ['piece of evidence', 'pieces of evidence'],
  acknowledge: ['case marked as seen', 'cases marked as seen'],
  revoke: ['case revoked', 'cases revoked'],
  redact: ['redaction', 'redactions'],
}

/** The most active members and keys that are listed. */
const MAX_ACTORS = 5

/** Today's moderation actions and who performed them. */
export function ActivityCard({
  activity: { complete, actions, actors },
}: {
  readonly activity: OverviewSection<'done'>
}) {
  const { id: workspaceId } = useWorkspace()
  const canViewAudit = useHasPermission('audit.view')
  return (
    <Card
      title="Today’s activity"
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
          No moderation actions yet today. Actions since midnight appear here, with who performed them.
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
          <ul className={classes.list} aria-label="Most active">
            {actors.slice(0, MAX_ACTORS).map(({ actorId, actorKind, actorName, count: total }) => (
              <li key={actorId} className={classes.row}>
                <UserBadge name={actorName} note={actorKind === 'api_key' ? 'API key' : null} />
                <span className={classes.actionCount}>{pluralize(total, 'action')}</span>
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
              There are too many actions today to count all of them; only the most recent are included.
            </Text>
          )}
        </>
      )}
    </Card>
  )
}
