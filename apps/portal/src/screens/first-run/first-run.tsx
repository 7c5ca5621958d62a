import { TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useNavigate } from '@tanstack/react-router'
import { api, unwrap } from '../../api/client.ts'
import { hasErrorCode } from '../../api/error.ts'
import { queryClient } from '../../api/query-client.ts'
import { setLastWorkspace } from '../../app/last-workspace.ts'
import { AuthLayout } from '../../components/auth-layout.tsx'
import { AuthForm } from '../../forms/auth-form.tsx'
import { NewPasswordField } from '../../forms/password-field.tsx'
import { plainTextProps, UsernameField } from '../../forms/text-fields.tsx'
import { useSubmit } from '../../forms/use-submit.ts'
import classes from './first-run.module.css'

const labels = { code: 'Code', username: 'Username', password: 'Password', groupName: 'Group name' }

/** Sets up the instance: creates the first operator and their workspace. */
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
      // Someone else has completed the setup: sign in instead.
      if (hasErrorCode(error, 'conflict')) {
        await navigate({ to: '/sign-in', search: { note: 'set-up' }, replace: true })
      } else throw error
    }
  })
  return (
    <AuthLayout
      title="Set up Reeve"
      description="There are no accounts yet. The first account becomes the operator of this instance and the owner of its first workspace."
    >
      <AuthForm submit={submit} submitLabel="Set up">
        <TextInput
          {...plainTextProps}
          autoCapitalize="characters"
          size="md"
          label={labels.code}
          description="Shown in the server log at the last startup"
          name="code"
          autoComplete="one-time-code"
          classNames={{ input: classes.code ?? '' }}
          autoFocus
          key={form.key('code')}
          {...form.getInputProps('code')}
        />
        <UsernameField
          label={labels.username}
          description="Used to sign in"
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
          description="Name of your first workspace"
          name="groupName"
          autoComplete="off"
          key={form.key('groupName')}
          {...form.getInputProps('groupName')}
        />
      </AuthForm>
    </AuthLayout>
  )
}
