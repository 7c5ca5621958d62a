import { Button, Group, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, unwrap } from '../../api/client.ts'
import { useWorkspace } from '../../api/me.ts'
import { PermissionCheckboxes, PermissionList } from '../../components/permission-checkboxes.tsx'
import { formatPermission } from '../../components/permission-labels.ts'
import { notifySuccess } from '../../components/toast.tsx'
import { formatNumber, pluralize } from '../../format/number.ts'
import { DialogForm } from '../../forms/dialog-form.tsx'
import { useSubmit } from '../../forms/use-submit.ts'
import type { Actor } from './can-manage.ts'
import classes from './new-role-form.module.css'
import { invalidateRoles, type Role } from './queries.ts'
import { detailLabels, type RoleDetails, RoleDetailsFields } from './role-details-fields.tsx'
import { type RoleStart, RoleStartChoice, type RoleSuggestion, suggestRole } from './role-start.tsx'

interface Props {
  readonly initialStart: RoleStart
  readonly roles: readonly Role[]
  readonly actor: Actor
  readonly close: () => void
  readonly showPermissions: (role: { readonly id: string }) => void
}

const detailNames = Object.keys(detailLabels) as (keyof RoleDetails)[]

/** Creates a role from a suggestion, which the user reviews and changes. */
export function NewRoleForm({ initialStart, roles, actor, close, showPermissions }: Props) {
  const client = useQueryClient()
  const { id: workspaceId } = useWorkspace()
  const copyableRoles = roles.filter(({ isOwner }) => !isOwner)
  const suggest = (start: RoleStart, id: string) =>
    suggestRole(
      start,
      copyableRoles.find((role) => role.id === id),
      roles,
      actor,
    )
  const [copiedId, setCopiedId] = useState(copyableRoles[0]?.id ?? '')
  const [start, setStart] = useState(initialStart)
  const [suggestion, setSuggestion] = useState(() => suggest(initialStart, copiedId))
  const [permissions, setPermissions] = useState(suggestion.permissions)
  const [rank, setRank] = useState(suggestion.details.rank)
  const form = useForm<RoleDetails>({
    mode: 'uncontrolled',
    initialValues: suggestion.details,
    onValuesChange: (values) => setRank(values.rank),
  })

  /** Replaces what the user has not changed. */
  const startFrom = (nextStart: RoleStart, nextCopiedId: string) => {
    const next = suggest(nextStart, nextCopiedId)
    const values = form.getValues()
    for (const name of detailNames)
      if (values[name] === suggestion.details[name]) form.setFieldValue(name, next.details[name])
    setStart(nextStart)
    setCopiedId(nextCopiedId)
    setSuggestion(next)
    setPermissions(next.permissions)
  }
  const submit = useSubmit(form, detailLabels, async ({ color, ...values }) => {
    const { role } = await unwrap(
      api.POST('/portal/api/roles', {
        body: {
          workspaceId,
          ...values,
          permissions: JSON.stringify(permissions),
          ...(color ? { color } : {}),
        },
      }),
    )
    await invalidateRoles(client, workspaceId)
    close()
    if (permissions.length > 0) {
      notifySuccess(`Created the role “${role.name}” with ${pluralize(permissions.length, 'permission')}.`)
    } else {
      notifySuccess(`Created the role “${role.name}”. Now choose its permissions.`)
      showPermissions(role)
    }
  })
  return (
    <DialogForm submit={submit} submitLabel="Create role">
      <RoleStartChoice
        start={start}
        copiedId={copiedId}
        copyableRoles={copyableRoles}
        actor={actor}
        onChange={startFrom}
      />
      <RoleDetailsFields form={form} rank={rank} others={roles} actor={actor} />
      <PermissionReview
        // A new start shows its permissions to be read first.
        key={`${start} ${copiedId}`}
        suggestion={suggestion}
        actor={actor}
        permissions={permissions}
        setPermissions={setPermissions}
      />
    </DialogForm>
  )
}

interface PermissionReviewProps {
  readonly suggestion: RoleSuggestion
  readonly actor: Actor
  readonly permissions: RoleSuggestion['permissions']
  readonly setPermissions: (permissions: RoleSuggestion['permissions']) => void
}

/** The permissions of the new role, and what the suggestion leaves out. */
function PermissionReview({ suggestion, actor, permissions, setPermissions }: PermissionReviewProps) {
  const [isEditing, setIsEditing] = useState(suggestion.permissions.length === 0)
  return (
    <>
      {isEditing ? (
        <PermissionCheckboxes
          available={[...actor.permissions]}
          selected={permissions}
          onSelect={setPermissions}
        />
      ) : (
        <section className={classes.review} aria-label="Permissions of the new role">
          <Group justify="space-between" gap="sm">
            <Text fw={600} size="sm">
              {formatNumber(permissions.length)} of{' '}
              {pluralize(permissions.length + suggestion.leftOut.length, 'permission')} granted
            </Text>
            <Button variant="default" size="compact-sm" onClick={() => setIsEditing(true)}>
              Change permissions
            </Button>
          </Group>
          <PermissionList permissions={permissions} />
        </section>
      )}
      {suggestion.leftOut.length > 0 ? (
        <Text size="sm" role="note">
          Left out, because you don’t have them yourself:{' '}
          {suggestion.leftOut.map(formatPermission).join('; ')}.
        </Text>
      ) : null}
    </>
  )
}
