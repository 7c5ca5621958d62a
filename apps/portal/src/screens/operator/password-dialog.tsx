import { Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { api, unwrap } from '../../api/client.ts'
import { useMe } from '../../api/me.ts'
import { Dialog } from '../../components/dialog.tsx'
import { notifySuccess } from '../../components/toast.tsx'
import { DialogForm } from '../../forms/dialog-form.tsx'
import { useSubmit } from '../../forms/use-submit.ts'
import { IssuedPasswordField } from './issued-password-field.tsx'
import { type AccountRow, useOperatorRefresh } from './operator-data.ts'

interface Props {
  /** Null while the dialog is closed. */
  readonly account: AccountRow | null
  readonly close: () => void
}

/** Resets the password of an account. */
export const PasswordDialog = ({ account, close }: Props) => (
  <Dialog
    opened={account !== null}
    onClose={close}
    title={account ? `Reset password of ${account.username}` : ''}
  >
    {account ? <PasswordForm account={account} close={close} /> : null}
  </Dialog>
)

const labels = { password: 'New password' }

function PasswordForm({ account, close }: { readonly account: AccountRow; readonly close: () => void }) {
  const { id, username, status } = account
  const isSelf = useMe().id === id
  const refresh = useOperatorRefresh()
  const form = useForm({ mode: 'controlled', initialValues: { password: '' } })
  const submit = useSubmit(form, labels, async ({ password }) => {
    await unwrap(api.POST('/admin/api/accounts/password', { body: { id, password } }))
    close()
    notifySuccess(`Reset the password of ${username}.`)
    await refresh()
  })
  return (
    <DialogForm submit={submit} cancel={close} submitLabel="Reset password" color="red">
      <Text size="sm">
        {isSelf ? 'You' : <bdi>{username}</bdi>} will be signed out everywhere, and the old password will stop
        working.
        {status === 'disabled' ? ' The account stays disabled.' : ''}
      </Text>
      <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
      <IssuedPasswordField label={labels.password} input={form.getInputProps('password')} />
    </DialogForm>
  )
}
