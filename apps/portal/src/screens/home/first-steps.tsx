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
  readonly of: keyof Overview['firstSteps']
  readonly name: string
  readonly why: string
  /** Below the address of the workspace. */
  readonly path: string
  /** Who can take it. */
  readonly needs: Permission
}

/** In the order in which they make sense: a role before those who hold it. */
const steps: readonly Step[] = [
  {
    of: 'role',
    name: 'Make a role',
    why: 'Such as “Moderator”: what those who hold it may do.',
    path: '/roles',
    needs: 'roles.manage',
  },
  {
    of: 'member',
    name: 'Invite somebody',
    why: 'A link that makes them a member, with the roles you choose.',
    path: '/people',
    needs: 'members.manage',
  },
  {
    of: 'apiKey',
    name: 'Connect your game',
    why: 'An API key lets its servers ask who is banned.',
    path: '/configuration/api/keys',
    needs: 'api_keys.manage',
  },
  {
    of: 'record',
    name: 'Write the first record',
    why: 'Find a player, and note, warn, mute, kick or ban.',
    path: '/moderation',
    needs: 'moderation.note',
  },
  {
    of: 'department',
    name: 'Set up a department',
    why: 'Who belongs to what in your staff.',
    path: '/departments',
    needs: 'departments.manage',
  },
  {
    of: 'event',
    name: 'Plan an event',
    why: 'A training, a shift, a meeting: everybody sees it in their own time.',
    path: '/events',
    needs: 'events.manage',
  },
]

/** What a new workspace still needs, until all of it is there or the reader has seen enough of it. */
export function FirstSteps({ steps: state }: { readonly steps: Overview['firstSteps'] }) {
  const { id: accountId } = useMe()
  const { id, permissions, isArchived } = useWorkspace()
  const [isDismissed, setIsDismissed] = useLocalStorage({
    key: `reeve-first-steps-${accountId}-${id}`,
    defaultValue: false,
    getInitialValueInEffect: false,
  })
  const own = steps.filter(({ of, needs }) => state[of] !== null && permissions.has(needs))
  const done = own.filter(({ of }) => state[of] === 'true').length
  if (isDismissed || isArchived || done === own.length) return null
  return (
    <Card my="md">
      <Group justify="space-between" wrap="nowrap" align="flex-start" gap="sm">
        <div>
          <Text component="h2" fw={650} size="lg" m={0}>
            First steps
          </Text>
          <Text size="sm" c="dimmed">
            {done} of {own.length} done. Each ticks itself off.
          </Text>
        </div>
        <CloseButton aria-label="Do not show the first steps any more" onClick={() => setIsDismissed(true)} />
      </Group>
      <Progress value={(done / own.length) * 100} my="sm" aria-label="First steps done" />
      <ul className={classes.list}>
        {own.map((step) => (
          <li key={step.of}>
            <StepLine step={step} isDone={state[step.of] === 'true'} workspaceId={id} />
          </li>
        ))}
      </ul>
    </Card>
  )
}

interface LineProps {
  readonly step: Step
  readonly isDone: boolean
  readonly workspaceId: string
}

function StepLine({ step: { name, why, path }, isDone, workspaceId }: LineProps) {
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
          {why}
        </Text>
      </span>
    </Link>
  )
}
