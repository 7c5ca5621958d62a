import { CloseButton, Group, Progress, Text } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import type { Permission } from '@reeve/core'
import { IconCircle, IconCircleCheckFilled } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useMe, useWorkspace } from '../../api/me.ts'
import { Card } from '../../components/card.tsx'
import classes from './home.module.css'
import type { Overview } from './overview.ts'

interface Step {
  readonly key: keyof Overview['firstSteps']
  readonly name: string
  readonly description: string
  /** Below the address of the workspace. */
  readonly path: string
  /** Who can take it. */
  readonly permission: Permission
}

/** In the order in which they make sense: a role before those who hold it. */
const steps: readonly Step[] = [
  {
    key: 'role',
    name: 'Make a role',
    description: 'Such as “Moderator”: what those who hold it may do.',
    path: '/roles',
    permission: 'roles.manage',
  },
  {
    key: 'member',
    name: 'Invite somebody',
    description: 'A link that makes them a member, with the roles you choose.',
    path: '/people',
    permission: 'members.manage',
  },
  {
    key: 'apiKey',
    name: 'Connect your game',
    description: 'An API key lets its servers ask who is banned.',
    path: '/configuration/api/keys',
    permission: 'api_keys.manage',
  },
  {
    key: 'record',
    name: 'Write the first record',
    description: 'Find a player, and note, warn, mute, kick or ban.',
    path: '/moderation',
    permission: 'moderation.note',
  },
  {
    key: 'department',
    name: 'Set up a department',
    description: 'Who belongs to what in your staff.',
    path: '/departments',
    permission: 'departments.manage',
  },
  {
    key: 'event',
    name: 'New event',
    description: 'A training, a shift, a meeting: everybody sees it in their own time.',
    path: '/events',
    permission: 'events.manage',
  },
]

/** What a new workspace still needs, until all of it is there or the reader has seen enough of it. */
export function FirstSteps({ steps: progress }: { readonly steps: Overview['firstSteps'] }) {
  const { id: accountId } = useMe()
  const { id, permissions, isArchived } = useWorkspace()
  const [isDismissed, setIsDismissed] = useLocalStorage({
    key: `reeve-first-steps-${accountId}-${id}`,
    defaultValue: false,
    getInitialValueInEffect: false,
  })
  const visibleSteps = steps.filter(
    ({ key, permission }) => progress[key] !== null && permissions.has(permission),
  )
  const doneCount = visibleSteps.filter(({ key }) => progress[key] === 'true').length
  if (isDismissed || isArchived || doneCount === visibleSteps.length) return null
  return (
    <Card my="md">
      <Group justify="space-between" wrap="nowrap" align="flex-start" gap="sm">
        <div>
          <Text component="h2" fw={650} size="lg" m={0}>
            First steps
          </Text>
          <Text size="sm" c="dimmed">
            {doneCount} of {visibleSteps.length} done. Each ticks itself off.
          </Text>
        </div>
        <CloseButton aria-label="Do not show the first steps any more" onClick={() => setIsDismissed(true)} />
      </Group>
      <Progress value={(doneCount / visibleSteps.length) * 100} my="sm" aria-label="First steps done" />
      <ul className={classes.list}>
        {visibleSteps.map((step) => (
          <li key={step.key}>
            <StepRow step={step} isDone={progress[step.key] === 'true'} workspaceId={id} />
          </li>
        ))}
      </ul>
    </Card>
  )
}

interface StepRowProps {
  readonly step: Step
  readonly isDone: boolean
  readonly workspaceId: string
}

function StepRow({ step: { name, description, path }, isDone, workspaceId }: StepRowProps) {
  const to: string = `/w/${workspaceId}${path}`
  return isDone ? (
    <div className={classes.step} data-done>
      <IconCircleCheckFilled size={22} className={classes.mark} role="img" aria-label="Done:" />
      <s>{name}</s>
    </div>
  ) : (
    <Link to={to} className={classes.step}>
      <IconCircle size={22} stroke={1.5} className={classes.mark} aria-hidden />
      <span>
        <span className={classes.stepName}>{name}</span>
        <Text component="span" display="block" size="sm" c="dimmed">
          {description}
        </Text>
      </span>
    </Link>
  )
}
