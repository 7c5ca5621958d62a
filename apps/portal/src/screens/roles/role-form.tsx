import { Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, ifMatch, unwrap } from '../../api/client.ts'
import { useWorkspace } from '../../api/me.ts'
import { useCreatorChoice, useSendCreations } from '../../components/creator-choice.ts'
import { CreatorKeysField } from '../../components/creator-keys-field.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { notifySuccess } from '../../components/toast.tsx'
import { DialogForm } from '../../forms/dialog-form.tsx'
import { EditConflict } from '../../forms/edit-conflict.tsx'
import { useEditConflict } from '../../forms/use-edit-conflict.ts'
import { useSubmit } from '../../forms/use-submit.ts'
import { useVersionedSave } from '../../forms/use-versioned-save.ts'
import type { Actor } from './can-manage.ts'
import { NewRoleForm } from './new-role-form.tsx'
import { invalidateRoles, type Role, readLatestRole } from './queries.ts'
import { roleKeysQuery, roleKeysTexts } from './role-creations.ts'
import { detailLabels, type RoleDetails, RoleDetailsFields } from './role-details-fields.tsx'
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

const toDetails = ({ name, color, rank }: Role): RoleDetails => ({
  name,
  color: color ?? '',
  rank: String(rank),
})

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
    initialValues: toDetails(role),
    onValuesChange: (values) => setRank(values.rank),
  })
  const revocation = useCreatorChoice(
    roleKeysQuery(
      workspaceId,
      roles,
      new Map([[role.id, { rank: Number(rank), permissions: role.permissions }]]),
    ),
  )
  const isLowered = rank.trim() !== '' && Number(rank) < role.rank
  const sendCreations = useSendCreations({ revokeKeyIds: isLowered ? revocation : null })
  const conflict = useEditConflict(form, detailLabels)
  const saveRole = useVersionedSave({
    opened: role,
    readLatest: () => readLatestRole(client, workspaceId, role.id),
    report: (before, theirs) => conflict.report('role', toDetails(before), toDetails(theirs)),
  })
  const update = async (edited: Role, values: RoleDetails): Promise<{ readonly name: string }> => {
    const before = toDetails(edited)
    const { name, color, rank: newRank } = values
    const changes = {
      ...(name !== before.name && { name }),
      ...(color !== before.color && { color: color || null }),
      ...(newRank !== before.rank && { rank: newRank }),
    }
    if (Object.keys(changes).length === 0) return edited
    const saved = await sendCreations((creations) => {
      const body = { workspaceId, id: edited.id, ...changes, ...creations }
      return unwrap(api.PATCH('/portal/api/roles', { body, headers: ifMatch(edited.version) }))
    })
    return saved.role
  }
  const submit = useSubmit(form, detailLabels, async (values) => {
    const { name } = await saveRole((edited) => update(edited, values))
    await invalidateRoles(client, workspaceId)
    close()
    notifySuccess(`Saved the role “${name}”.`)
  })
  return (
    <DialogForm submit={submit} submitLabel="Save" isDisabled={isLowered && !revocation.isReady}>
      <RoleDetailsFields
        form={form}
        rank={rank}
        others={roles.filter(({ id }) => id !== role.id)}
        actor={actor}
        isNameFocused
      />
      {isLowered ? <CreatorKeysField revocation={revocation} {...roleKeysTexts} /> : null}
      <Text size="sm" c="dimmed">
        Set its permissions on the Permissions tab.
      </Text>
      <EditConflict {...conflict} />
    </DialogForm>
  )
}
