import { Button, Group, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { api, unwrap } from '../../api/client.ts'
import { meQuery, useMe } from '../../api/me.ts'
import { Card } from '../../components/card.tsx'
import { notifySuccess } from '../../components/toast.tsx'
import { FormAlert } from '../../forms/form-alert.tsx'
import { NewPasswordField, PasswordField, passwordRequirements } from '../../forms/password-field.tsx'
import { useSubmit } from '../../forms/use-submit.ts'
import { ownSessionsKey } from './sessions.ts'

const labels = { currentPassword: 'Current password', newPassword: 'New password' }

/** Changes the password; says who can set one if the account has none. */
export const PasswordCard = () =>
  useMe().hasPassword ? (
    <ChangePasswordCard />
  ) : (
    <Card title="Password">
      <Text size="sm">Your account has no password. An operator of this instance can set one.</Text>
    </Card>
  )

function ChangePasswordCard() {
  const client = useQueryClient()
  const { username } = useMe()
  const form = useForm({ mode: 'uncontrolled', initialValues: { currentPassword: '', newPassword: '' } })
  const submit = useSubmit(form, labels, async (values) => {
    await unwrap(api.POST('/portal/api/password', { body: values }))
    form.reset()
    notifySuccess('Password changed. Your other sessions have ended.')
    await Promise.all([
      client.invalidateQueries({ queryKey: meQuery.queryKey }),
      client.invalidateQueries({ queryKey: ownSessionsKey }),
    ])
  })
  return (
    <Card title="Password" id="password">
      <form onSubmit={submit.onSubmit} noValidate>
        <Stack gap="md" maw={400}>
          {/* Tells password managers which account this is. */}
          <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
          <PasswordField
            label={labels.currentPassword}
            name="currentPassword"
            autoComplete="current-password"
            key={form.key('currentPassword')}
            {...form.getInputProps('currentPassword')}
          />
          <NewPasswordField
            label={labels.newPassword}
            description={`${passwordRequirements}. Changing it ends your other sessions.`}
            name="newPassword"
            key={form.key('newPassword')}
            {...form.getInputProps('newPassword')}
          />
          <FormAlert>{submit.alert}</FormAlert>
          <Group>
            <Button type="submit" loading={submit.isBusy}>
              Change password
            </Button>
          </Group>
        </Stack>
      </form>
    </Card>
  )
}
