import { useForm } from '@mantine/form'
import { api, unwrap } from '../../api/client.ts'
import { AuthLayout } from '../../components/auth-layout.tsx'
import { AuthForm } from '../../forms/auth-form.tsx'
import { UsernameField } from '../../forms/text-fields.tsx'
import { useSubmit } from '../../forms/use-submit.ts'

const labels = { username: 'Username' }

/** The account that can be created. */
export interface SignUpOffer {
  readonly token: string
  /** A username that is free; empty if the name at the provider cannot be one. */
  readonly username: string
  readonly providerName: string
  /** What the provider calls the account. */
  readonly name: string | null
}

interface Props {
  readonly offer: SignUpOffer
  /** The token of the invitation that the account accepts. */
  readonly invitation: string | null
  readonly onDone: (
    accountId: string,
    workspace: { readonly id: string; readonly groupName: string } | null,
  ) => Promise<void>
}

/** Creates an account for somebody whose identity is not linked yet. */
export function ProviderSignUpForm({ offer, invitation, onDone }: Props) {
  const { token, username, providerName, name } = offer
  const form = useForm({ mode: 'uncontrolled', initialValues: { username } })
  const submit = useSubmit(form, labels, async (values) => {
    const body = { token, ...values, ...(invitation === null ? {} : { invitation }) }
    const { account, workspace } = await unwrap(api.POST('/portal/api/sign-in/sign-up', { body }))
    if (account) await onDone(account.id, workspace)
  })
  const who = name === null ? `your ${providerName} account` : `${providerName} as ${name}`
  return (
    <AuthLayout
      title="Create your account"
      description={`You will sign in with ${who}. Do you already have an account here? Sign in to it and link ${providerName} under Your account instead.`}
    >
      <AuthForm submit={submit} submitLabel="Create account">
        <UsernameField
          label={labels.username}
          description="Visible to other members"
          autoFocus
          key={form.key('username')}
          {...form.getInputProps('username')}
        />
      </AuthForm>
    </AuthLayout>
  )
}
