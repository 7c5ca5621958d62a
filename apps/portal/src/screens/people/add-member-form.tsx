import { TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, unwrap } from '../../api/client.ts'
import { useWorkspace } from '../../api/me.ts'
import { notifySuccess } from '../../components/toast.tsx'
import { DialogForm } from '../../forms/dialog-form.tsx'
import { plainTextProps } from '../../forms/text-fields.tsx'
import { useSubmit } from '../../forms/use-submit.ts'
import { membersKey } from './people-data.ts'
import { RoleChoice } from './role-choice.tsx'

const labels = { username: 'Username', roleIds: 'Roles' }

/** Adds an existing account of this instance as a member. */
export function AddMemberForm({ close }: { readonly close: () => void }) {
  const client = useQueryClient()
  const { id: workspaceId, groupName } = useWorkspace()
  const [roleIds, setRoleIds] = useState<readonly string[]>([])
  const form = useForm({ mode: 'uncontrolled', initialValues: { username: '', roleIds: '' } })
  const submit = useSubmit(form, labels, async ({ username }) => {
    const { member } = await unwrap(
      api.POST('/portal/api/members', { body: { workspaceId, username, roleIds: roleIds.join(',') } }),
    )
    await Promise.all([
      client.invalidateQueries({ queryKey: membersKey(workspaceId) }),
      client.invalidateQueries({ queryKey: [workspaceId, 'roles'] }),
    ])
    close()
    notifySuccess(`Added ${member.username} to ${groupName}.`)
  })
  return (
    <DialogForm submit={submit} cancel={close} submitLabel="Add member">
      <TextInput
        {...plainTextProps}
        label={labels.username}
        description="The username of an existing account on this instance. They become a member immediately and are not notified."
        name="username"
        autoComplete="off"
        key={form.key('username')}
        {...form.getInputProps('username')}
      />
      <RoleChoice
        label={labels.roleIds}
        value={roleIds}
        onChange={setRoleIds}
        error={form.errors.roleIds as string | undefined}
      />
    </DialogForm>
  )
}
