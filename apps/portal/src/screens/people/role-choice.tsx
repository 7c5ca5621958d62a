import { Button, Checkbox, Group, Input, Text } from '@mantine/core'
import { combineLimits } from '@reeve/core'
import { IconLock } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { useHasPermission, useWorkspace } from '../../api/me.ts'
import { ErrorState, LoadingRows } from '../../components/empty-error-loading.tsx'
import { RoleDot } from '../../components/role-badge.tsx'
import { explainCannotAssign } from '../roles/can-manage.ts'
import { formatRank, rolesQuery } from '../roles/queries.ts'
import classes from './role-choice.module.css'

interface Props {
  readonly label: string
  readonly value: readonly string[]
  readonly onChange: (roleIds: string[]) => void
  /** Currently assigned roles: these can be removed even if the user cannot assign them. */
  readonly assignedIds?: readonly string[]
  readonly error?: string | undefined
}

const noRoles: readonly string[] = []

/** Selects roles, the highest first. Roles that the user cannot assign are disabled, with the reason. */
export function RoleChoice({ label, value, onChange, assignedIds = noRoles, error }: Props) {
  const workspace = useWorkspace()
  const canView = useHasPermission('roles.view')
  const list = useRef<HTMLFieldSetElement>(null)
  const roles = useQuery({ ...rolesQuery(workspace.id), enabled: canView })
  if (!canView) {
    return (
      <Text size="sm" c="dimmed">
        You do not have permission to see roles, so you cannot assign them.
      </Text>
    )
  }
  if (roles.isError && !roles.data) {
    return <ErrorState error={roles.error} retry={() => void roles.refetch()} />
  }
  if (!roles.data) return <LoadingRows rows={3} height={44} />
  const ownRoles = roles.data.filter(({ id }) => workspace.roles.some((own) => own.id === id))
  const ownLimits = combineLimits(
    ownRoles.map(({ permissions, limits }) => ({ permissions: [...permissions], limits })),
  )
  const assignableRoles = roles.data.filter(({ isOwner }) => !isOwner)
  // Those that were assigned are not among them: saving says that somebody else has changed the roles of the member.
  const deletedIds = value.filter(
    (roleId) => !assignedIds.includes(roleId) && !roles.data.some(({ id }) => id === roleId),
  )
  const toggle = (roleId: string, isChosen: boolean) =>
    onChange(isChosen ? [...value, roleId] : value.filter((id) => id !== roleId))
  return (
    <Input.Wrapper
      label={label}
      error={deletedIds.length > 0 ? 'A role that you have chosen was deleted. Remove it, then save.' : error}
      labelElement="div"
    >
      {assignableRoles.length + deletedIds.length === 0 ? (
        <Text size="sm" c="dimmed">
          There are no roles besides the owner’s. Create them under Roles; you can assign them later.
        </Text>
      ) : (
        <fieldset ref={list} tabIndex={-1} aria-label={label} className={classes.list}>
          {assignableRoles.map((role) => {
            const isAssigned = assignedIds.includes(role.id)
            const reason = explainCannotAssign({ ...workspace, limits: ownLimits }, role)
            const isLocked = reason !== null && !isAssigned
            const note =
              reason !== null && isAssigned
                ? `You can remove this role but not assign it again. ${reason}`
                : reason
            return (
              <Checkbox
                key={role.id}
                disabled={isLocked}
                checked={value.includes(role.id)}
                onChange={(event) => toggle(role.id, event.currentTarget.checked)}
                classNames={{ labelWrapper: classes.text ?? '' }}
                label={
                  <span className={classes.role}>
                    <RoleDot color={role.color} />
                    <bdi>{role.name}</bdi>
                    {isLocked ? <IconLock size={14} aria-hidden /> : null}
                  </span>
                }
                description={note ?? formatRank(role.rank)}
              />
            )
          })}
          {deletedIds.map((roleId) => (
            <Group key={roleId} justify="space-between">
              <Text size="sm">A role that was deleted</Text>
              <Button
                size="compact-sm"
                h={36}
                variant="default"
                aria-label="Remove the deleted role"
                onClick={() => {
                  toggle(roleId, false)
                  // The pressed button disappears and would take the focus with it.
                  list.current?.focus()
                }}
              >
                Remove
              </Button>
            </Group>
          ))}
        </fieldset>
      )}
    </Input.Wrapper>
  )
}
