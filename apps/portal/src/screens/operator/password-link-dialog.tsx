import { Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { api, unwrap } from '../../api/client.ts'
import { Dialog } from '../../components/dialog.tsx'
import { DialogForm } from '../../forms/dialog-form.tsx'
import { useSubmit } from '../../forms/use-submit.ts'
import type { AccountRow } from './operator-data.ts'
import { type CreatedLink, PasswordLink } from './password-link.tsx'

interface Props {
  /** Null while the dialog is closed. */
  readonly account: AccountRow | null
  readonly close: () => void
}

/** Creates a link with which the owner of an account sets a new password. */
export const PasswordLinkDialog = ({ account, close }: Props) => (
  <Dialog
    opened={account !== null}
    onClose={close}
    title={account ? `Password link for ${account.username}` : ''}
  >
    {account ? <PasswordLinkForm account={account} close={close} /> : null}
  </Dialog>
)

function PasswordLinkForm({ account, close }: { readonly account: AccountRow; readonly close: () => void }) {
  const { id, username } = account
  const [link, setLink] = useState<CreatedLink | null>(null)
  const form = useForm({ mode: 'controlled', initialValues: {} })
  const submit = useSubmit(form, {}, async () => {
    setLink((await unwrap(api.POST('/admin/api/accounts/link', { body: { id } }))).link)
  })
  if (link) return <PasswordLink username={username} link={link} close={close} />
  return (
    <DialogForm submit={submit} submitLabel="Create link">
      <Text size="sm">
        The person who opens the link sets a new password for <bdi>{username}</bdi>. Then all sessions of the
        account end, and the old password stops working. A second factor of the account is still asked for.
        The account sees in its security activity that you created the link.
      </Text>
    </DialogForm>
  )
}
