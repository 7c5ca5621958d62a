import { Button, type ButtonProps, Stack } from '@mantine/core'
import { IconFingerprint } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { getErrorMessage } from '../api/error.ts'
import { FormAlert } from '../forms/form-alert.tsx'
import { PasskeyAborted } from './passkey-aborted.ts'
import { preloadPasskeys } from './passkeys.ts'

interface Props extends Pick<ButtonProps, 'variant' | 'size'> {
  /** Such as `Sign in with a passkey`. */
  readonly label: string
  readonly autoFocus?: boolean
  /** Asks the browser for a passkey; errors are shown below the button. */
  readonly run: () => Promise<void>
}

/** A button that asks for a passkey. */
export function PasskeyButton({ label, run, variant = 'default', size = 'md', autoFocus = false }: Props) {
  const [isBusy, setIsBusy] = useState(false)
  const [alert, setAlert] = useState('')
  // So that the dialog of the browser follows the click at once.
  useEffect(preloadPasskeys, [])
  const handleClick = async () => {
    setIsBusy(true)
    setAlert('')
    try {
      await run()
    } catch (error) {
      if (!(error instanceof PasskeyAborted)) setAlert(getErrorMessage(error))
    } finally {
      setIsBusy(false)
    }
  }
  return (
    <Stack gap="sm">
      <Button
        variant={variant}
        size={size}
        fullWidth
        autoFocus={autoFocus}
        loading={isBusy}
        leftSection={<IconFingerprint size={20} stroke={1.5} aria-hidden />}
        onClick={() => void handleClick()}
      >
        {label}
      </Button>
      <FormAlert>{alert}</FormAlert>
    </Stack>
  )
}
