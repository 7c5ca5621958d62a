import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, ifMatch, take } from '../../api/client.ts'
import { ApiError, sentenceOf } from '../../api/error.ts'
import { useWorkspace } from '../../api/me.ts'
import { Dialog } from '../../components/dialog.tsx'
import { FormAlert } from '../../components/form-alert.tsx'
import { permissionWords } from '../../components/permission-words.ts'
import { RoleBadge } from '../../components/role-badge.tsx'
import { tellDone } from '../../components/tell.tsx'
import { count } from '../../format/number.ts'
import { changed, type Draft, type Effect, type Outcome } from './effect.ts'
import { outcomeWords, peopleWords } from './outcome-words.ts'
import classes from './review.module.css'
import { type Role, rolesKey } from './role-data.ts'
import type { DraftTools } from './use-draft.ts'

interface Props {
  readonly isOpen: boolean
  readonly close: () => void
  readonly roles: readonly Role[]
  readonly draft: Draft
  readonly outcome: Outcome
  readonly forget: DraftTools['forget']
}

/** What is about to be given and taken, and to how many, before it is. */
export function Review({ isOpen, close, roles, draft, outcome, forget }: Props) {
  const client = useQueryClient()
  const { id: workspaceId } = useWorkspace()
  const [isBusy, setIsBusy] = useState(false)
  const [alert, setAlert] = useState('')
  const touched = roles.filter(({ id }) => draft.has(id))

  const saveOne = async (role: Role) => {
    try {
      await take(
        api.PATCH('/portal/api/roles', {
          body: {
            workspaceId,
            id: role.id,
            permissions: JSON.stringify([...changed(role, draft.get(role.id))]),
          },
          headers: ifMatch(role.version),
        }),
      )
      forget(role.id)
      return null
    } catch (error) {
      const isStale = error instanceof ApiError && error.code === 'version_mismatch'
      const why = isStale
        ? 'somebody else changed it meanwhile. Look at it again, then save.'
        : sentenceOf(error)
      return `“${role.name}” is not saved: ${why}`
    }
  }
  const save = async () => {
    setIsBusy(true)
    setAlert('')
    const problems: string[] = []
    for (const role of touched) {
      const problem = await saveOne(role)
      if (problem !== null) problems.push(problem)
    }
    await client.invalidateQueries({ queryKey: rolesKey(workspaceId) })
    setIsBusy(false)
    setAlert(problems.join(' '))
    if (problems.length > 0) return
    close()
    tellDone(`Saved ${count(touched.length, 'role')}. It holds from the next thing that anybody does.`)
  }

  return (
    <Dialog
      opened={isOpen}
      onClose={() => {
        setAlert('')
        close()
      }}
      title="Save these changes?"
      size="lg"
    >
      <Stack gap="md">
        <Text size="sm">{outcomeWords(outcome)}</Text>
        <Effects title="Gives" which="gives" effects={outcome.gives} />
        <Effects title="Takes away" which="takes" effects={outcome.takes} />
        <FormAlert>{alert}</FormAlert>
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={close} data-autofocus>
            Go on changing
          </Button>
          <Button onClick={() => void save()} loading={isBusy} disabled={touched.length === 0}>
            Save
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

interface EffectsProps {
  readonly title: string
  readonly which: 'gives' | 'takes'
  readonly effects: readonly Effect[]
}

const Effects = ({ title, which, effects }: EffectsProps) =>
  effects.length === 0 ? null : (
    <section>
      <Title order={3} size="h4" mb={4}>
        {title}
      </Title>
      <ul className={classes.effects} data-which={which}>
        {effects.map(({ permission, roles, people }) => (
          <li key={permission}>
            <Text size="sm" fw={550}>
              {permissionWords(permission)}
            </Text>
            <Group gap={6} mt={2}>
              {roles.map((role) => (
                <RoleBadge key={role.id} role={role} />
              ))}
              <Text size="sm" className={classes.people}>
                {peopleWords(which, { people })}
              </Text>
            </Group>
          </li>
        ))}
      </ul>
    </section>
  )
