import { TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { INVITATION_DAYS } from '@reeve/core'
import { useQueryClient } from '@tanstack/react-query'
import { api, unwrap } from '../../api/client.ts'
import { useWorkspace } from '../../api/me.ts'
import { notifySuccess } from '../../components/toast.tsx'
import { DialogForm } from '../../forms/dialog-form.tsx'
import { plainTextProps } from '../../forms/text-fields.tsx'
import { useSubmit } from '../../forms/use-submit.ts'
import { type ChosenRoles, invitationsKey } from './people-data.ts'
import { RoleChoice } from './role-choice.tsx'

const labels = { username: 'Username', roleIds: 'Roles' }

/** What was typed into the form. */
export const useNameForm = () =>
  useForm({ mode: 'uncontrolled', initialValues: { username: '', roleIds: '' } })

interface Props extends ChosenRoles {
  readonly form: ReturnType<typeof useNameForm>
  readonly close: () => void
  readonly onCreated: () => void
}

/** Invites an existing account of this instance by its username. */
export function InviteByNameForm({ form, roleIds, setRoleIds, close, onCreated }: Props) {
  const client = useQueryClient()
  const { id: workspaceId } = useWorkspace()
  const submit = useSubmit(form, labels, async ({ username }) => {
    const { invitation } = await unwrap(
      api.POST('/portal/api/invitations', { body: { workspaceId, username, roleIds: roleIds.join(',') } }),
    )
    await client.invalidateQueries({ queryKey: invitationsKey(workspaceId) })
    close()
    onCreated()
    notifySuccess(`Invited ${invitation.username}.`)
  })
  return (
    <DialogForm submit={submit} submitLabel="Invite">
      <TextInput
        {...plainTextProps}
        label={labels.username}
        description={`The username of an account on this instance. They see the invitation when they sign in, and accept or decline it within ${INVITATION_DAYS} days. To protect usernames, you are not told whether there is such an account.`}
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
