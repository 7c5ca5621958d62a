import { Button, Divider, Stack } from '@mantine/core'
import { useState } from 'react'
import { getErrorMessage } from '../../api/error.ts'
import {
  BlockedTabError,
  type Provider,
  type ProviderReturn,
  providers,
  signInInNewTab,
  signInWithProvider,
} from '../../api/providers.ts'
import { FormAlert } from '../../forms/form-alert.tsx'

interface ListProps {
  readonly shown: readonly Provider[]
  /** Starts the label of each button: `Continue with`. */
  readonly action: string
  /** Goes to the provider. @returns whether the page is being left, so that the button stays busy */
  readonly begin: (id: string) => Promise<boolean>
  /** What the user can do if the browser blocks a new tab. */
  readonly blocked: string
}

/** A button for each of some identity providers. */
export function ProviderButtonList({ shown, action, begin, blocked }: ListProps) {
  const [busyProvider, setBusyProvider] = useState('')
  const [alert, setAlert] = useState('')
  const handleClick = async ({ id }: Provider) => {
    setBusyProvider(id)
    setAlert('')
    try {
      if (await begin(id)) return
    } catch (error) {
      setAlert(error instanceof BlockedTabError ? blocked : getErrorMessage(error))
    }
    setBusyProvider('')
  }
  return (
    <Stack gap="sm">
      {shown.map((provider) => (
        <Button
          key={provider.id}
          size="md"
          variant="default"
          fullWidth
          loading={busyProvider === provider.id}
          disabled={busyProvider !== '' && busyProvider !== provider.id}
          onClick={() => void handleClick(provider)}
        >
          {action} {provider.name}
        </Button>
      ))}
      <FormAlert>{alert}</FormAlert>
    </Stack>
  )
}

interface Props {
  /** What happens after the sign-in. `new-tab`: it takes place in a new tab, and this page stays as it is. */
  readonly returnTo: ProviderReturn | 'new-tab'
}

/** A button to sign in with each configured identity provider; nothing without one. */
export const ProviderButtons = ({ returnTo }: Props) =>
  providers.length === 0 ? null : (
    <>
      <Divider label="or" my="md" />
      <ProviderButtonList
        shown={providers}
        action="Continue with"
        begin={async (id) => {
          if (returnTo === 'new-tab') await signInInNewTab(id)
          else await signInWithProvider(id, returnTo)
          return returnTo !== 'new-tab'
        }}
        blocked="Your browser blocked the new tab. Allow this site to open tabs, or sign in with your password."
      />
    </>
  )
