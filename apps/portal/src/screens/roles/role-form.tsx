import { NativeSelect, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { maxAssignableRank } from '@reeve/core'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { api, ifMatch, unwrap } from '../../api/client.ts'
import { ApiError } from '../../api/error.ts'
import { useWorkspace } from '../../api/me.ts'
import { ColorField } from '../../components/color-field.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { notifySuccess } from '../../components/toast.tsx'
import { DialogForm } from '../../forms/dialog-form.tsx'
import { EditConflict } from '../../forms/edit-conflict.tsx'
import { useEditConflict } from '../../forms/use-edit-conflict.ts'
import { useSubmit } from '../../forms/use-submit.ts'
import { type Actor, getGrantablePermissions } from './can-manage.ts'
import { type Role, rolesKey, rolesQuery } from './queries.ts'
import { describeRank } from './rank-description.ts'

interface Props {
  /** The role to edit or `new`; null while the form is closed. */
  readonly target: Role | 'new' | null
  readonly roles: readonly Role[]
  readonly actor: Actor
  readonly close: () => void
  readonly onCreated: (role: { readonly id: string }) => void
}

/** Creates a role, or edits its name, color and rank. */
export const RoleForm = ({ target, ...props }: Props) => (
  <Dialog
    opened={target !== null}
    onClose={props.close}
    title={target === 'new' || target === null ? 'New role' : `Edit “${target.name}”`}
    closeOnClickOutside={false}
  >
    {target === null ? null : <RoleFields role={target === 'new' ? null : target} {...props} />}
  </Dialog>
)

const labels = { name: 'Name', color: 'Color', rank: 'Rank', permissions: 'Copy permissions from' }

const editLabels = { name: labels.name, rank: labels.rank, color: labels.color }

/** The values of the form for an existing role, which has its permissions elsewhere. */
const toRoleValues = ({ name, color, rank }: Role) => ({
  name,
  color: color ?? '',
  rank: String(rank),
  permissions: '',
})

/** The rank of a new role: low, so that raising it is a decision. */
const FIRST_RANK = 10

function RoleFields({
  role,
  roles,
  actor,
  close,
  onCreated,
}: Omit<Props, 'target'> & { readonly role: Role | null }) {
  const client = useQueryClient()
  const { id: workspaceId } = useWorkspace()
  const firstRank = role?.rank ?? Math.min(FIRST_RANK, maxAssignableRank(actor))
  const [rank, setRank] = useState(String(firstRank))
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: {
      name: role?.name ?? '',
      color: role?.color ?? '',
      rank: String(firstRank),
      permissions: '',
    },
    onValuesChange: (values) => setRank(values.rank),
  })
  /** The version that the user has seen and is editing. */
  const base = useRef(role)
  const conflict = useEditConflict(form, editLabels)
  const update = async (
    edited: Role,
    values: ReturnType<typeof toRoleValues>,
  ): Promise<{ readonly role: { readonly id: string; readonly name: string } }> => {
    const before = toRoleValues(edited)
    const { name, color, rank: newRank } = values
    const body = {
      workspaceId,
      id: edited.id,
      ...(name !== before.name && { name }),
      ...(color !== before.color && { color: color || null }),
      ...(newRank !== before.rank && { rank: newRank }),
    }
    if (Object.keys(body).length === 2) return { role: edited }
    try {
      return await unwrap(api.PATCH('/portal/api/roles', { body, headers: ifMatch(edited.version) }))
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'version_mismatch')) throw error
      const latestRoles = await client.fetchQuery({ ...rolesQuery(workspaceId), staleTime: 0 })
      const latest = latestRoles.find(({ id }) => id === edited.id)
      if (!latest) throw error
      base.current = latest
      const reported = conflict.report('role', before, toRoleValues(latest))
      if (reported) throw reported
      // Only the permissions changed: retry.
      return update(latest, values)
    }
  }
  const submit = useSubmit(form, labels, async (values) => {
    const { name, color } = values
    const saved = base.current
      ? await update(base.current, values)
      : await unwrap(
          api.POST('/portal/api/roles', {
            body: {
              workspaceId,
              name,
              rank: values.rank,
              permissions: JSON.stringify(getGrantablePermissions(actor, roles, values.permissions)),
              ...(color ? { color } : {}),
            },
          }),
        )
    await Promise.all([
      client.invalidateQueries({ queryKey: rolesKey(workspaceId) }),
      client.invalidateQueries({ queryKey: [workspaceId, 'members'] }),
    ])
    close()
    if (role) {
      notifySuccess(`Saved the role “${saved.role.name}”.`)
    } else {
      notifySuccess(`Created the role “${saved.role.name}”. Now choose its permissions.`)
      onCreated(saved.role)
    }
  })
  const others = roles.filter(({ id }) => id !== role?.id)
  return (
    <DialogForm submit={submit} cancel={close} submitLabel={role ? 'Save' : 'Create role'}>
      <TextInput
        label={labels.name}
        name="name"
        autoComplete="off"
        maxLength={100}
        data-autofocus
        key={form.key('name')}
        {...form.getInputProps('name')}
      />
      <TextInput
        label={labels.rank}
        description={describeRank(rank, others, actor)}
        name="rank"
        inputMode="numeric"
        autoComplete="off"
        key={form.key('rank')}
        {...form.getInputProps('rank')}
      />
      <ColorField
        label={labels.color}
        name="color"
        key={form.key('color')}
        {...form.getInputProps('color')}
      />
      {role ? null : (
        <NativeSelect
          label={labels.permissions}
          description="You can change the permissions later."
          name="permissions"
          data={[
            { value: '', label: 'None' },
            ...roles.filter(({ isOwner }) => !isOwner).map(({ id, name }) => ({ value: id, label: name })),
          ]}
          key={form.key('permissions')}
          {...form.getInputProps('permissions')}
        />
      )}
      {role ? (
        <Text size="sm" c="dimmed">
          Set its permissions on the Permissions tab.
        </Text>
      ) : null}
      <EditConflict {...conflict} />
    </DialogForm>
  )
}
