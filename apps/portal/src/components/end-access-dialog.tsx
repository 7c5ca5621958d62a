import { Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { ReactNode } from 'react'
import { DialogForm } from '../forms/dialog-form.tsx'
import { useSubmit } from '../forms/use-submit.ts'
import { CreatorKeysField, type KeysQuery, useKeyRevocation } from './creator-keys.tsx'
import { openModal } from './modals.tsx'

export interface EndAccessOptions {
  readonly title: string
  /** The consequences, in a sentence or two. */
  readonly children: ReactNode
  readonly confirmLabel: string
  /** The API keys of those whose access ends or is reduced. */
  readonly keys: KeysQuery
  /** Who created the keys: `robin`, `You`, or `Members`. */
  readonly creator: ReactNode
  readonly showsWorkspace?: boolean
  /** What becomes of the keys that stay. */
  readonly note?: string
  readonly color?: 'red' | 'green'
  /** @param revokeKeyIds the chosen keys */
  readonly run: (revokeKeyIds: string) => Promise<void>
}

/** Opens the dialog that ends or reduces somebody's access, and asks what becomes of the API keys that they created. */
export const openEndAccessDialog = ({ title, ...options }: EndAccessOptions): void =>
  openModal({ title, render: (close) => <EndAccessForm {...options} close={close} /> })

function EndAccessForm({
  children,
  confirmLabel,
  keys,
  creator,
  showsWorkspace = false,
  note = '',
  color = 'red',
  run,
  close,
}: Omit<EndAccessOptions, 'title'> & { readonly close: () => void }) {
  const revocation = useKeyRevocation(keys)
  const form = useForm({ mode: 'uncontrolled', initialValues: {} })
  const submit = useSubmit(form, {}, async () => {
    await run(revocation.revokeKeyIds)
    close()
  })
  return (
    <DialogForm
      submit={submit}
      cancel={close}
      submitLabel={confirmLabel}
      color={color}
      isDisabled={!revocation.isReady}
      isCancelFocused
    >
      <Stack gap="md">
        <Text component="div" size="sm">
          {children}
        </Text>
        <CreatorKeysField
          revocation={revocation}
          creator={creator}
          showsWorkspace={showsWorkspace}
          note={note}
        />
      </Stack>
    </DialogForm>
  )
}
