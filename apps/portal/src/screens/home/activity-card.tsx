import { Badge, Text, VisuallyHidden } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { formatActorName } from '../../components/blanked-name.ts'
import { Card } from '../../components/card.tsx'
import { UserBadge } from '../../components/user-badge.tsx'
import { pluralize } from '../../format/number.ts'
import activityClasses from './activity.module.css'
import { type ListLink, useActivityLinks } from './activity-links.ts'
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
  attach_file: ['file attached', 'files attached'],
  remove_file: ['file removed', 'files removed'],
  acknowledge: ['case marked as seen', 'cases marked as seen'],
  revoke: ['case revoked', 'cases revoked'],
  redact: ['redaction', 'redactions'],
  approve: ['ban approved', 'bans approved'],
  reject: ['ban rejected', 'bans rejected'],
  reject_permanence: ['permanent ban rejected', 'permanent bans rejected'],
  import: ['case imported', 'cases imported'],
  restore: ['change reverted', 'changes reverted'],
  assign: ['assignment', 'assignments'],
  unassign: ['case unassigned', 'cases unassigned'],
}

/** The most active members and keys that are listed. */
const MAX_ACTORS = 5

/** Today's moderation actions and who performed them, each with a link to its list. */
export function ActivityCard({ activity }: { readonly activity: OverviewSection<'done'> }) {
  const { count: total, actions, actors } = activity
  const { all, linkToAction, linkToActor } = useActivityLinks(activity)
  return (
    <Card
      title="Today’s activity"
      actions={
        all && actors.length > 0 ? (
          <Link {...all} className={activityClasses.total} data-tap>
            {pluralize(total, 'action')}
          </Link>
        ) : null
      }
    >
      {actors.length === 0 ? (
        <Text size="sm" c="dimmed">
          No moderation actions yet today. Actions since midnight appear here, with who performed them.
        </Text>
      ) : (
        <>
          <ul className={activityClasses.actions} aria-label="Actions today">
            {actions.map(({ action, count }) => (
              <li key={action}>
                <OptionalLink link={linkToAction(action)}>
                  <Badge
                    variant="light"
                    color={action === 'ban' ? 'red' : 'gray'}
                    size="lg"
                    radius="sm"
                    className={activityClasses.badge ?? ''}
                  >
                    {pluralize(count, ...(actionNouns[action] ?? [action, action]))}
                    <VisuallyHidden> today</VisuallyHidden>
                  </Badge>
                </OptionalLink>
              </li>
            ))}
          </ul>
          <ul className={classes.list} aria-label="Most active">
            {actors.slice(0, MAX_ACTORS).map(({ actorId, actorKind, actorName, count }) => (
              <li key={actorId}>
                <OptionalLink link={linkToActor(actorId)}>
                  <span className={classes.row}>
                    <UserBadge
                      name={formatActorName(actorName)}
                      note={actorKind === 'api_key' ? 'API key' : null}
                    />
                    <span className={classes.actionCount}>{pluralize(count, 'action')}</span>
                  </span>
                </OptionalLink>
              </li>
            ))}
          </ul>
          {actors.length > MAX_ACTORS ? (
            <Text size="sm" c="dimmed" mt="xs">
              <OptionalLink link={all}>And {pluralize(actors.length - MAX_ACTORS, 'other')}.</OptionalLink>
            </Text>
          ) : null}
        </>
      )}
    </Card>
  )
}

/** A link to a list, or plain content for those who may not view it. */
const OptionalLink = ({
  link,
  children,
}: {
  readonly link: ListLink | null
  readonly children: ReactNode
}) =>
  link ? (
    <Link {...link} className={activityClasses.link} data-tap>
      {children}
    </Link>
  ) : (
    children
  )
