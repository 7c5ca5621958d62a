import { TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useNavigate } from '@tanstack/react-router'
import { api, unwrap } from '../../api/client.ts'
import { ApiError } from '../../api/error.ts'
import { queryClient } from '../../api/query-client.ts'
import { setLastWorkspace } from '../../app/last-workspace.ts'
import { AuthLayout } from '../../components/auth-layout.tsx'
import { AuthForm } from '../../forms/auth-form.tsx'
import { NewPasswordField, plainTextProps, UsernameField } from '../../forms/text-fields.tsx'
import { useSubmit } from '../../forms/use-submit.ts'
import classes from './first-run.module.css'

const labels = { code: 'Code', username: 'Username', password: 'Password', groupName: 'Group name' }

/** Sets the instance up: its first operator, and their workspace. */
export function FirstRun() {
  const navigate = useNavigate()
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { code: '', username: '', password: '', groupName: '' },
  })
  const submit = useSubmit(form, labels, async (values) => {
    try {
      const { workspaceId } = await unwrap(api.POST('/portal/api/first-run', { body: values }))
      queryClient.clear()
      setLastWorkspace(workspaceId)
      await navigate({ to: '/w/$workspaceId', params: { workspaceId }, replace: true })
    } catch (error) {
      // Somebody else was quicker: there is an account to sign in with.
      if (error instanceof ApiError && error.code === 'conflict') {
        await navigate({ to: '/sign-in', search: { note: 'set-up' }, replace: true })
      } else throw error
    }
  })
  return (
    <AuthLayout
      title="Set up Reeve"
      description="There is no account yet. The first one operates this instance and owns its first workspace."
    >
      <AuthForm submit={submit} submitLabel="Set up">
        <TextInput
          {...plainTextProps}
          autoCapitalize="characters"
          size="md"
          label={labels.code}
          description="From the server’s log, where it last started"
          name="code"
          autoComplete="one-time-code"
          classNames={{ input: classes.code ?? '' }}
          autoFocus
          key={form.key('code')}
          {...form.getInputProps('code')}
        />
        <UsernameField
          label={labels.username}
          description="What you sign in with"
          key={form.key('username')}
          {...form.getInputProps('username')}
        />
        <NewPasswordField
          size="md"
          label={labels.password}
          key={form.key('password')}
          {...form.getInputProps('password')}
        />
        <TextInput
          size="md"
          label={labels.groupName}
          description="The name of your first workspace"
          name="groupName"
          autoComplete="off"
          key={form.key('groupName')}
          {...form.getInputProps('groupName')}
        />
      </AuthForm>
    </AuthLayout>
  )
}
