import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { EMAIL_CODE_MINUTES } from '@reeve/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, unwrap } from '../../api/client.ts'
import { sendsMail } from '../../api/mail.ts'
import { meQuery, useMe } from '../../api/me.ts'
import { Card } from '../../components/card.tsx'
import { openConfirmDialog } from '../../components/confirm-dialog.tsx'
import { notifySuccess } from '../../components/toast.tsx'
import { FormAlert } from '../../forms/form-alert.tsx'
import { plainTextProps } from '../../forms/text-fields.tsx'
import { useSubmit } from '../../forms/use-submit.ts'

/** An address that waits for its code. */
interface PendingEmail {
  readonly email: string
  readonly token: string
}

/** The address that mails to the account are sent to; nothing on an instance that sends none. */
export function EmailCard() {
  const { email } = useMe()
  const [pending, setPending] = useState<PendingEmail | null>(null)
  if (!sendsMail && email === null) return null
  return (
    <Card title="E-mail" id="email">
      <Stack gap="md" maw={400}>
        <Text size="sm" c="dimmed">
          For a link if you forget your password, invitations, and notices about the security of your account.
          Nobody else sees it.
        </Text>
        {pending ? (
          <CodeForm pending={pending} close={() => setPending(null)} />
        ) : (
          <>
            {email === null ? null : <CurrentEmail email={email} />}
            {sendsMail ? <AddressForm email={email} onSent={setPending} /> : null}
          </>
        )}
      </Stack>
    </Card>
  )
}

function useRefreshMe() {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: meQuery.queryKey })
}

function CurrentEmail({ email }: { readonly email: string }) {
  const refresh = useRefreshMe()
  const confirmRemoval = () =>
    openConfirmDialog({
      title: 'Remove the e-mail address?',
      children:
        'You get no more mails, and only an operator can let you in again if you forget your password.',
      confirmLabel: 'Remove address',
      isDestructive: true,
      run: async () => {
        await unwrap(api.DELETE('/portal/api/account/email'))
        notifySuccess('E-mail address removed.')
        await refresh()
      },
    })
  return (
    <Group gap="sm" justify="space-between">
      <Text size="sm" fw={550} style={{ overflowWrap: 'anywhere' }}>
        <bdi>{email}</bdi>
      </Text>
      <Button variant="default" size="xs" onClick={confirmRemoval} aria-label="Remove the e-mail address">
        Remove
      </Button>
    </Group>
  )
}

const addressLabels = { email: 'E-mail address' }

interface AddressFormProps {
  /** The current address; null for none. */
  readonly email: string | null
  readonly onSent: (pending: PendingEmail) => void
}

function AddressForm({ email: current, onSent }: AddressFormProps) {
  const label = current === null ? addressLabels.email : 'New e-mail address'
  const form = useForm({ mode: 'uncontrolled', initialValues: { email: '' } })
  const submit = useSubmit(form, addressLabels, async ({ email }) => {
    const { token } = await unwrap(api.POST('/portal/api/account/email', { body: { email } }))
    onSent({ email, token })
  })
  return (
    <form onSubmit={submit.onSubmit} noValidate>
      <Stack gap="md">
        <TextInput
          {...plainTextProps}
          type="email"
          name="email"
          autoComplete="email"
          label={label}
          key={form.key('email')}
          {...form.getInputProps('email')}
        />
        <FormAlert>{submit.alert}</FormAlert>
        <Group>
          <Button type="submit" variant={current === null ? 'filled' : 'default'} loading={submit.isBusy}>
            {current === null ? 'Add address' : 'Change address'}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

const codeLabels = { code: 'Code from the e-mail' }

function CodeForm({ pending: { email, token }, close }: { pending: PendingEmail; close: () => void }) {
  const refresh = useRefreshMe()
  const form = useForm({ mode: 'uncontrolled', initialValues: { code: '' } })
  const submit = useSubmit(form, codeLabels, async ({ code }) => {
    await unwrap(api.POST('/portal/api/account/email/confirmation', { body: { token, code } }))
    await refresh()
    close()
    notifySuccess('E-mail address confirmed.')
  })
  return (
    <form onSubmit={submit.onSubmit} noValidate>
      <Stack gap="md">
        <Text size="sm">
          A code was sent to <bdi>{email}</bdi>. It works for {EMAIL_CODE_MINUTES} minutes.
        </Text>
        <TextInput
          {...plainTextProps}
          name="code"
          autoComplete="one-time-code"
          autoFocus
          label={codeLabels.code}
          placeholder="7K3M-Q9TX"
          key={form.key('code')}
          {...form.getInputProps('code')}
        />
        <FormAlert>{submit.alert}</FormAlert>
        <Group>
          <Button type="submit" loading={submit.isBusy}>
            Confirm address
          </Button>
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
