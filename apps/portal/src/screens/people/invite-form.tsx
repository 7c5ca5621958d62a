import { NativeSelect, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { DAY_SECONDS, HOUR_SECONDS, INVITATION_DAYS } from '@reeve/core'
import { useQueryClient } from '@tanstack/react-query'
import { api, unwrap } from '../../api/client.ts'
import { sendsMail } from '../../api/mail.ts'
import { useWorkspace } from '../../api/me.ts'
import { DialogForm } from '../../forms/dialog-form.tsx'
import { plainTextProps } from '../../forms/text-fields.tsx'
import { useSubmit } from '../../forms/use-submit.ts'
import { type ChosenRoles, type CreatedInvitation, invitationsKey } from './people-data.ts'
import { RoleChoice } from './role-choice.tsx'

const labels = { validSeconds: 'Valid for', email: 'E-mail address', note: 'Note', roleIds: 'Roles' }

const validities = [
  { value: String(HOUR_SECONDS), label: '1 hour' },
  { value: String(DAY_SECONDS), label: '1 day' },
  { value: String(7 * DAY_SECONDS), label: '7 days' },
  { value: String(30 * DAY_SECONDS), label: '30 days' },
]

const MAX_NOTE_LENGTH = 200

/** What was typed and chosen in the form. */
export const useLinkForm = () =>
  useForm({
    mode: 'uncontrolled',
    initialValues: { validSeconds: String(INVITATION_DAYS * DAY_SECONDS), email: '', note: '', roleIds: '' },
  })

interface Props extends ChosenRoles {
  readonly form: ReturnType<typeof useLinkForm>
  readonly onCreated: (invitation: CreatedInvitation) => void
}

/** Creates an invitation link for one person. */
export function InviteForm({ form, roleIds, setRoleIds, onCreated }: Props) {
  const client = useQueryClient()
  const { id: workspaceId } = useWorkspace()
  const submit = useSubmit(form, labels, async ({ validSeconds, email, note }) => {
    const { invitation, token } = await unwrap(
      api.POST('/portal/api/invitations', {
        body: {
          workspaceId,
          roleIds: roleIds.join(','),
          validSeconds,
          note,
          ...(email === '' ? {} : { email }),
        },
      }),
    )
    if (token === null) throw new Error('an invitation link has a token')
    onCreated({ invitation, token })
    await client.invalidateQueries({ queryKey: invitationsKey(workspaceId) })
  })
  return (
    <DialogForm submit={submit} submitLabel="Create link">
      <RoleChoice
        label={labels.roleIds}
        value={roleIds}
        onChange={setRoleIds}
        error={form.errors.roleIds as string | undefined}
      />
      <NativeSelect
        label={labels.validSeconds}
        name="validSeconds"
        data={validities}
        key={form.key('validSeconds')}
        {...form.getInputProps('validSeconds')}
      />
      {sendsMail ? (
        <TextInput
          {...plainTextProps}
          type="email"
          label={labels.email}
          description="The link is sent there. Leave it empty to pass it on yourself."
          name="email"
          autoComplete="off"
          key={form.key('email')}
          {...form.getInputProps('email')}
        />
      ) : null}
      <TextInput
        label={labels.note}
        description="Who the invitation is for. Visible only to those who manage members."
        name="note"
        autoComplete="off"
        maxLength={MAX_NOTE_LENGTH}
        key={form.key('note')}
        {...form.getInputProps('note')}
      />
    </DialogForm>
  )
}
