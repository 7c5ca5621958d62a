import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, ifMatch, unwrap } from '../../api/client.ts'
import { ApiError, getErrorMessage } from '../../api/error.ts'
import { useWorkspace } from '../../api/me.ts'
import { Dialog } from '../../components/dialog.tsx'
import { formatPermission } from '../../components/permission-labels.ts'
import { RoleBadge } from '../../components/role-badge.tsx'
import { notifySuccess } from '../../components/toast.tsx'
import { pluralize } from '../../format/number.ts'
import { FormAlert } from '../../forms/form-alert.tsx'
import { formatAffectedPeople, formatImpact } from './format-impact.ts'
import { applyChange, type Draft, type DraftImpact, type PermissionImpact } from './permission-diff.ts'
import { type Role, rolesKey } from './queries.ts'
import classes from './review-dialog.module.css'
import type { DraftActions } from './use-draft.ts'

interface Props {
  readonly isOpen: boolean
  readonly close: () => void
  readonly roles: readonly Role[]
  readonly draft: Draft
  readonly impact: DraftImpact
  readonly discard: DraftActions['discard']
}

/** Lists what a draft grants and revokes, and saves it. */
export function ReviewDialog({ isOpen, close, roles, draft, impact, discard }: Props) {
  const client = useQueryClient()
  const { id: workspaceId } = useWorkspace()
  const [isBusy, setIsBusy] = useState(false)
  const [alert, setAlert] = useState('')
  const changedRoles = roles.filter(({ id }) => draft.has(id))

  const saveRole = async (role: Role) => {
    try {
      await unwrap(
        api.PATCH('/portal/api/roles', {
          body: {
            workspaceId,
            id: role.id,
            permissions: JSON.stringify([...applyChange(role, draft.get(role.id))]),
          },
          headers: ifMatch(role.version),
        }),
      )
      discard(role.id)
      return null
    } catch (error) {
      const isStale = error instanceof ApiError && error.code === 'version_mismatch'
      const message = isStale
        ? 'someone else has changed it in the meantime. Review it, then save again.'
        : getErrorMessage(error)
      return `“${role.name}” was not saved: ${message}`
    }
  }
  const save = async () => {
    setIsBusy(true)
    setAlert('')
    const problems: string[] = []
    for (const role of changedRoles) {
      const problem = await saveRole(role)
      if (problem !== null) problems.push(problem)
    }
    await client.invalidateQueries({ queryKey: rolesKey(workspaceId) })
    setIsBusy(false)
    setAlert(problems.join(' '))
    if (problems.length > 0) return
    close()
    notifySuccess(`Saved ${pluralize(changedRoles.length, 'role')}. The changes apply immediately.`)
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
        <Text size="sm">{formatImpact(impact)}</Text>
        <ImpactList title="Grants" direction="granted" impacts={impact.granted} />
        <ImpactList title="Revokes" direction="revoked" impacts={impact.revoked} />
        <FormAlert>{alert}</FormAlert>
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={close} data-autofocus>
            Keep editing
          </Button>
          <Button onClick={() => void save()} loading={isBusy} disabled={changedRoles.length === 0}>
            Save
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

interface ImpactListProps {
  readonly title: string
  readonly direction: 'granted' | 'revoked'
  readonly impacts: readonly PermissionImpact[]
}

const ImpactList = ({ title, direction, impacts }: ImpactListProps) =>
  impacts.length === 0 ? null : (
    <section>
      <Title order={3} size="h4" mb={4}>
        {title}
      </Title>
      <ul className={classes.impacts} data-direction={direction}>
        {impacts.map(({ permission, roles, people }) => (
          <li key={permission}>
            <Text size="sm" fw={550}>
              {formatPermission(permission)}
            </Text>
            <Group gap={6} mt={2}>
              {roles.map((role) => (
                <RoleBadge key={role.id} role={role} />
              ))}
              <Text size="sm" className={classes.people}>
                {formatAffectedPeople(direction, { people })}
              </Text>
            </Group>
          </li>
        ))}
      </ul>
    </section>
  )
