import { Button, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { PASSWORD_MAX, PASSWORD_MIN } from '@reeve/core'
import { useNavigate } from '@tanstack/react-router'
import { api, take } from '../../api/client.ts'
import { ApiError } from '../../api/error.ts'
import { queryClient } from '../../api/query.ts'
import { rememberWorkspace } from '../../app/last-workspace.ts'
import { FormAlert } from '../../components/form-alert.tsx'
import { Front } from '../../components/front.tsx'
import { PasswordField } from '../../forms/password-field.tsx'
import { plainText } from '../../forms/plain-text.ts'
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
      const { workspaceId } = await take(api.POST('/portal/api/first-run', { body: values }))
      queryClient.clear()
      rememberWorkspace(workspaceId)
      await navigate({ to: '/w/$workspaceId', params: { workspaceId }, replace: true })
    } catch (error) {
      // Somebody else was quicker: there is an account to sign in with.
      if (error instanceof ApiError && error.code === 'conflict') {
        await navigate({ to: '/sign-in', search: { note: 'set-up' }, replace: true })
      } else throw error
    }
  })
  return (
    <Front
      title="Set up Reeve"
      lead="There is no account yet. The first one operates this instance and owns its first workspace."
    >
      <form onSubmit={submit.onSubmit} noValidate>
        <Stack gap="md" mt="lg">
          <TextInput
            {...plainText}
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
          <TextInput
            {...plainText}
            size="md"
            label={labels.username}
            description="What you sign in with"
            name="username"
            autoComplete="username"
            key={form.key('username')}
            {...form.getInputProps('username')}
          />
          <PasswordField
            size="md"
            label={labels.password}
            description={`${PASSWORD_MIN} to ${PASSWORD_MAX} characters, and not a common one`}
            name="password"
            autoComplete="new-password"
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
          <Button type="submit" size="md" fullWidth loading={submit.isBusy} mt="xs">
            Set up
          </Button>
          <FormAlert>{submit.alert}</FormAlert>
        </Stack>
      </form>
    </Front>
  )
}
