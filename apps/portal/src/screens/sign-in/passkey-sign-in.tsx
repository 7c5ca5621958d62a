import { Divider, Stack } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { getErrorMessage } from '../../api/error.ts'
import { FormAlert } from '../../forms/form-alert.tsx'
import { offerPasskeys } from '../../passkeys/autofill.ts'
import { PasskeyButton } from '../../passkeys/passkey-button.tsx'
import { signInWithPasskey, supportsPasskeys } from '../../passkeys/passkeys.ts'

interface Props {
  /** Called with the id of the account that signed in. */
  readonly onDone: (accountId: string) => Promise<void>
}

/** Signs in with a passkey, by a button or among the suggestions of the username field. */
export const PasskeySignIn = (props: Props) =>
  supportsPasskeys() ? <SupportedPasskeySignIn {...props} /> : null

function SupportedPasskeySignIn({ onDone }: Props) {
  const [alert, setAlert] = useState('')
  /** How often the button was used, which ends the suggestions. */
  const [uses, setUses] = useState(0)
  const latest = useRef(onDone)
  latest.current = onDone
  useEffect(
    () =>
      offerPasskeys({
        onSignedIn: (accountId) => latest.current(accountId),
        onRejected: (error) => setAlert(getErrorMessage(error)),
      }),
    [uses],
  )
  const signIn = async () => {
    setAlert('')
    try {
      await latest.current(await signInWithPasskey())
    } catch (error) {
      setUses(uses + 1)
      throw error
    }
  }
  return (
    <Stack gap="sm" mt="md">
      <FormAlert>{alert}</FormAlert>
      <Divider label="or" />
      <PasskeyButton label="Sign in with a passkey" run={signIn} />
    </Stack>
  )
}
