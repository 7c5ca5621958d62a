import { Anchor, Text } from '@mantine/core'
import { api, unwrap } from '../../api/client.ts'
import { ApiError } from '../../api/error.ts'
import { AuthForm } from '../../forms/auth-form.tsx'
import { SecondFactorForm } from '../../forms/second-factor-form.tsx'
import { PasskeyOr } from '../../passkeys/passkey-or.tsx'
import { signInWithPasskey } from '../../passkeys/passkeys.ts'

/** A sign-in that still needs a second factor. */
export interface PendingSignIn {
  /** Names the sign-in. */
  readonly token: string
  /** The second factors that the account has, preferred ones first. */
  readonly factors: readonly string[]
}

interface Props {
  readonly pending: PendingSignIn
  /** Called with the id of the account that signed in. */
  readonly onDone: (accountId: string) => Promise<void>
  /** Returns to the password. @param message why; empty if the user wants to */
  readonly startAgain: (message: string) => void
}

const TOOK_TOO_LONG = 'That took too long. Enter your password again.'

/** The second step of a sign-in. */
export const SecondFactorStep = ({ pending: { token, factors }, onDone, startAgain }: Props) => (
  <>
    <PasskeyOr
      factors={factors}
      onPasskey={async () => {
        try {
          await onDone(await signInWithPasskey(token))
        } catch (error) {
          if (!isTokenRejected(error)) throw error
          startAgain(TOOK_TOO_LONG)
        }
      }}
    >
      <SecondFactorForm
        factors={factors}
        send={async (proof) => {
          try {
            const { account } = await unwrap(
              api.POST('/portal/api/sign-in/second-factor', { body: { token, ...proof } }),
            )
            if (account) await onDone(account.id)
          } catch (error) {
            if (!isTokenRejected(error)) throw error
            startAgain(TOOK_TOO_LONG)
          }
        }}
      >
        {(submit, fields) => (
          <AuthForm submit={submit} submitLabel="Continue">
            {fields}
          </AuthForm>
        )}
      </SecondFactorForm>
    </PasskeyOr>
    <Text size="sm" c="dimmed" mt="md">
      Lost your device and your recovery codes? An operator of this instance can reset your second factors.{' '}
      <Anchor component="button" type="button" size="sm" onClick={() => startAgain('')}>
        Sign in as somebody else
      </Anchor>
    </Text>
  </>
)

const isTokenRejected = (error: unknown): boolean =>
  error instanceof ApiError && error.details.some(({ field }) => field === 'token')
