import { Button, CloseButton, Group, Progress, Text } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import type { Permission } from '@reeve/core'
import { IconCircle, IconCircleCheckFilled } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useMe, useWorkspace } from '../../api/me.ts'
import { Card } from '../../components/card.tsx'
import { rolePresetIds, rolePresetNames } from '../../components/role-preset-names.ts'
import classes from './home.module.css'
import type { Overview } from './overview.ts'

interface Step {
  readonly key: keyof Overview['firstSteps']
  readonly name: string
  readonly description: string
  /** Relative to the workspace. */
  readonly path: string
  /** The permission that the step requires. */
  readonly permission: Permission
  /** Suggestions to start the step from. */
  readonly suggestions?: readonly {
    readonly name: string
    readonly search: Readonly<Record<string, string>>
  }[]
}

/** In a sensible order: a role before the members who get it. */
const steps: readonly Step[] = [
  {
    key: 'role',
    name: 'Create a role',
    description: 'A role defines what its members can do. Start from a suggestion:',
    path: '/roles',
    permission: 'roles.manage',
    suggestions: rolePresetIds.map((id) => ({ name: rolePresetNames[id], search: { open: id } })),
  },
  {
    key: 'member',
    name: 'Invite someone',
    description: 'Send a link that gives them membership and the roles you choose.',
    path: '/people',
    permission: 'members.manage',
  },
  {
    key: 'apiKey',
    name: 'Connect your game',
    description: 'Create an API key so that your servers can check bans.',
    path: '/configuration/api/keys',
    permission: 'api_keys.manage',
  },
  {
    key: 'record',
    name: 'Create the first case',
    description: 'Find a player and add a note or warning, or mute, kick or ban them.',
    path: '/moderation',
    permission: 'moderation.note',
  },
  {
    key: 'department',
    name: 'Set up a department',
    description: 'Organize your staff into teams.',
    path: '/departments',
    permission: 'departments.manage',
  },
  {
    key: 'event',
    name: 'Create an event',
    description: 'Schedule a training, shift or meeting. Everyone sees it in their own time zone.',
    path: '/events',
    permission: 'events.manage',
  },
]

/** A checklist for a new workspace, until it is complete or dismissed. */
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
            {doneCount} of {visibleSteps.length} done. Steps are checked off automatically.
          </Text>
        </div>
        <CloseButton aria-label="Dismiss the first steps" onClick={() => setIsDismissed(true)} />
      </Group>
      <Progress value={(doneCount / visibleSteps.length) * 100} my="sm" aria-label="First steps completed" />
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

function StepRow({ step: { name, description, path, suggestions = [] }, isDone, workspaceId }: StepRowProps) {
  const to: string = `/w/${workspaceId}${path}`
  if (isDone) {
    return (
      <div className={classes.step} data-done>
        <IconCircleCheckFilled size={22} className={classes.stepIcon} role="img" aria-label="Done:" />
        <s>{name}</s>
      </div>
    )
  }
  return (
    <>
      <Link to={to} className={classes.step}>
        <IconCircle size={22} stroke={1.5} className={classes.stepIcon} aria-hidden />
        <span>
          <span className={classes.stepName}>{name}</span>
          <Text component="span" display="block" size="sm" c="dimmed">
            {description}
          </Text>
        </span>
      </Link>
      {suggestions.length > 0 ? (
        <div className={classes.suggestions}>
          {suggestions.map((suggestion) => (
            <Button
              key={suggestion.name}
              renderRoot={(props) => <Link to={to} search={suggestion.search} {...props} />}
              variant="default"
              size="xs"
            >
              {suggestion.name}
            </Button>
          ))}
        </div>
      ) : null}
    </>
  )
}
