import { Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, ifMatch, unwrap } from '../../api/client.ts'
import { useWorkspace } from '../../api/me.ts'
import { Dialog } from '../../components/dialog.tsx'
import { notifySuccess } from '../../components/toast.tsx'
import { DialogForm } from '../../forms/dialog-form.tsx'
import { useSubmit } from '../../forms/use-submit.ts'
import type { Actor } from './can-manage.ts'
import { NewRoleForm } from './new-role-form.tsx'
import { invalidateRoles, type Role } from './queries.ts'
import { detailLabels, RoleDetailsFields } from './role-details-fields.tsx'
import type { RoleStart } from './role-start.tsx'

interface Props {
  /** The role to edit, or what a new one starts from; null while the form is closed. */
  readonly target: Role | RoleStart | null
  readonly roles: readonly Role[]
  readonly actor: Actor
  readonly close: () => void
  /** Shows the permissions of a role. */
  readonly showPermissions: (role: { readonly id: string }) => void
}

/** Creates a role, or edits its name, color and rank. */
export function RoleForm({ target, ...props }: Props) {
  const role = typeof target === 'object' ? target : null
  return (
    <Dialog
      opened={target !== null}
      onClose={props.close}
      title={role === null ? 'New role' : `Edit “${role.name}”`}
      size={role === null ? 'lg' : 'md'}
      closeOnClickOutside={false}
    >
      {role === null ? null : <EditForm role={role} {...props} />}
      {typeof target === 'string' ? <NewRoleForm initialStart={target} {...props} /> : null}
    </Dialog>
  )
}

function EditForm({
  role,
  roles,
  actor,
  close,
}: Omit<Props, 'target' | 'showPermissions'> & { readonly role: Role }) {
  const client = useQueryClient()
  const { id: workspaceId } = useWorkspace()
  const [rank, setRank] = useState(String(role.rank))
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { name: role.name, color: role.color ?? '', rank: String(role.rank) },
    onValuesChange: (values) => setRank(values.rank),
  })
  const submit = useSubmit(form, detailLabels, async ({ color, ...values }) => {
    const saved = await unwrap(
      api.PATCH('/portal/api/roles', {
        body: { workspaceId, id: role.id, ...values, color: color || null },
        headers: ifMatch(role.version),
      }),
    )
    await invalidateRoles(client, workspaceId)
    close()
    notifySuccess(`Saved the role “${saved.role.name}”.`)
  })
  return (
    <DialogForm submit={submit} cancel={close} submitLabel="Save">
      <RoleDetailsFields
        form={form}
        rank={rank}
        others={roles.filter(({ id }) => id !== role.id)}
        actor={actor}
        isNameFocused
      />
      <Text size="sm" c="dimmed">
        Set its permissions on the Permissions tab.
      </Text>
    </DialogForm>
  )
}
