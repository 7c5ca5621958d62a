import { Anchor, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { type ReactNode, useState } from 'react'
import { api, unwrap } from '../../api/client.ts'
import { sendsMail } from '../../api/mail.ts'
import { AuthForm } from '../../forms/auth-form.tsx'
import { PasswordField } from '../../forms/password-field.tsx'
import { UsernameField } from '../../forms/text-fields.tsx'
import { useSubmit } from '../../forms/use-submit.ts'
import { PasskeySignIn } from './passkey-sign-in.tsx'
import { PasswordResetStep } from './password-reset-step.tsx'
import { type PendingSignIn, SecondFactorStep } from './second-factor-step.tsx'

const labels = { username: 'Username', password: 'Password' }

interface Props {
  /** Prefilled if the previous user is known. */
  readonly username?: string
  /** Called with the id of the account that signed in. */
  readonly onDone: (accountId: string) => Promise<void>
  /** Other ways to sign in. */
  readonly providers?: ReactNode
}

/** The sign-in form: the password, and then the second factor of an account that has one. */
export function SignInForm({ username = '', onDone, providers = null }: Props) {
  const [pending, setPending] = useState<PendingSignIn | null>(null)
  const [note, setNote] = useState('')
  const [isResetting, setIsResetting] = useState(false)
  if (isResetting) return <PasswordResetStep username={username} back={() => setIsResetting(false)} />
  return pending ? (
    <SecondFactorStep
      pending={pending}
      onDone={onDone}
      startAgain={(message) => {
        setNote(message)
        setPending(null)
      }}
    />
  ) : (
    <PasswordStep
      username={username}
      note={note}
      providers={providers}
      onDone={onDone}
      onPending={setPending}
      onForgotten={() => setIsResetting(true)}
    />
  )
}

interface PasswordStepProps extends Required<Props> {
  /** Why the sign-in has to start again; empty at first. */
  readonly note: string
  readonly onPending: (pending: PendingSignIn) => void
  readonly onForgotten: () => void
}

function PasswordStep({ username, note, providers, onDone, onPending, onForgotten }: PasswordStepProps) {
  const form = useForm({ mode: 'uncontrolled', initialValues: { username, password: '' } })
  const submit = useSubmit(form, labels, async (values) => {
    const { account, secondFactor } = await unwrap(api.POST('/portal/api/sign-in', { body: values }))
    if (account) await onDone(account.id)
    else if (secondFactor) onPending(secondFactor)
  })
  return (
    <>
      <AuthForm submit={submit.alert === '' ? { ...submit, alert: note } : submit} submitLabel="Sign in">
        <UsernameField
          label={labels.username}
          autoFocus={username === ''}
          autoComplete="username webauthn"
          key={form.key('username')}
          {...form.getInputProps('username')}
        />
        <PasswordField
          size="md"
          label={labels.password}
          name="password"
          autoComplete="current-password"
          autoFocus={username !== ''}
          key={form.key('password')}
          {...form.getInputProps('password')}
        />
      </AuthForm>
      <PasskeySignIn onDone={onDone} />
      {providers}
      {sendsMail ? (
        <Anchor component="button" type="button" size="sm" mt="md" onClick={onForgotten}>
          Forgot your password?
        </Anchor>
      ) : (
        <Text size="sm" c="dimmed" mt="md">
          Forgot your password? An operator of this instance can send you a link to set a new one.
        </Text>
      )}
    </>
  )
}
