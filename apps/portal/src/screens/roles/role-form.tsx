import { NativeSelect, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { maxAssignableRank } from '@reeve/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, ifMatch, unwrap } from '../../api/client.ts'
import { useWorkspace } from '../../api/me.ts'
import { ColorField } from '../../components/color-field.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { notifySuccess } from '../../components/toast.tsx'
import { DialogForm } from '../../forms/dialog-form.tsx'
import { useSubmit } from '../../forms/use-submit.ts'
import { type Actor, getGrantablePermissions } from './can-manage.ts'
import { type Role, rolesKey } from './queries.ts'
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
  const submit = useSubmit(form, labels, async (values) => {
    const { name, color } = values
    const saved = role
      ? await unwrap(
          api.PATCH('/portal/api/roles', {
            body: { workspaceId, id: role.id, name, color: color || null, rank: values.rank },
            headers: ifMatch(role.version),
          }),
        )
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
    </DialogForm>
  )
}
