import { Anchor, Divider, Stack, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { PasskeyButton } from './passkey-button.tsx'
import { supportsPasskeys } from './passkeys.ts'

interface Props {
  /** The second factors that the account has. */
  readonly factors: readonly string[]
  /** Asks the browser for a passkey and sends it. */
  readonly onPasskey: () => Promise<void>
  /** Shown while the form for a code is not. */
  readonly footer?: ReactNode
  /** The form for a code. */
  readonly children: ReactNode
}

/** Asks for a passkey, if the account has one, or for a code. Recovery codes are shown only to those who ask for them. */
export function PasskeyOr({ factors, onPasskey, footer, children }: Props) {
  const [isCodeChosen, setIsCodeChosen] = useState(false)
  const canUsePasskey = factors.includes('passkey') && supportsPasskeys()
  const hasCodes = factors.includes('totp') || factors.includes('recovery_code')
  if (!canUsePasskey && hasCodes) return children
  if (!canUsePasskey)
    return (
      <Stack gap="md" mt="md">
        <Text size="sm">Your account asks for a passkey, which this browser cannot use at this URL.</Text>
        {footer}
      </Stack>
    )
  const showsCodes = factors.includes('totp') || (hasCodes && isCodeChosen)
  return (
    <Stack gap="md" mt="md">
      <PasskeyButton label="Use a passkey" variant="filled" autoFocus={!showsCodes} run={onPasskey} />
      {hasCodes && !showsCodes ? (
        <Anchor component="button" type="button" size="sm" onClick={() => setIsCodeChosen(true)}>
          Use a recovery code
        </Anchor>
      ) : null}
      {showsCodes ? (
        <div>
          <Divider label="or" />
          {children}
        </div>
      ) : (
        footer
      )}
    </Stack>
  )
}
