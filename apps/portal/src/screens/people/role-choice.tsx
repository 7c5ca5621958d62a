import { Checkbox, Input, Text } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
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
  const assignableRoles = roles.data.filter(({ isOwner }) => !isOwner)
  return (
    <Input.Wrapper label={label} error={error} labelElement="div">
      {assignableRoles.length === 0 ? (
        <Text size="sm" c="dimmed">
          There are no roles besides the owner’s. Create them under Roles; you can assign them later.
        </Text>
      ) : (
        <fieldset aria-label={label} className={classes.list}>
          {assignableRoles.map((role) => {
            const isAssigned = assignedIds.includes(role.id)
            const reason = explainCannotAssign(workspace, role)
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
                onChange={(event) =>
                  onChange(
                    event.currentTarget.checked
                      ? [...value, role.id]
                      : value.filter((roleId) => roleId !== role.id),
                  )
                }
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
        </fieldset>
      )}
    </Input.Wrapper>
  )
}
