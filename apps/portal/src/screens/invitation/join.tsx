import { SegmentedControl, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { queryClient } from '../../api/query-client.ts'
import { announceSignIn } from '../../api/session-expiry.ts'
import { ProviderButtons } from '../sign-in/provider-buttons.tsx'
import { SignInForm } from '../sign-in/sign-in-form.tsx'
import { SignUpForm } from './sign-up-form.tsx'

const accountOptions = [
  { value: 'new', label: 'New account' },
  { value: 'existing', label: 'I have an account' },
]

/** For visitors without a session: sign up, or sign in with an existing account. */
export function Join({ token, groupName }: { readonly token: string; readonly groupName: string }) {
  const [accountOption, setAccountOption] = useState('new')
  const providers = <ProviderButtons returnTo={{ path: `/invitation#${token}`, invitation: token }} />
  return (
    <Stack gap="xs" mt="lg">
      <SegmentedControl
        data={accountOptions}
        value={accountOption}
        onChange={setAccountOption}
        aria-label="Your account"
        fullWidth
      />
      {accountOption === 'new' ? (
        <>
          <SignUpForm token={token} groupName={groupName} />
          {providers}
        </>
      ) : (
        <>
          <Text size="sm" c="dimmed" mt="xs">
            Sign in, then join with one click.
          </Text>
          <SignInForm
            providers={providers}
            onDone={async (accountId) => {
              announceSignIn(accountId)
              await queryClient.resetQueries({ queryKey: ['invitation', 'current-user'] })
            }}
          />
        </>
      )}
    </Stack>
  )
}
