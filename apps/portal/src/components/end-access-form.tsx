import { Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { ReactNode } from 'react'
import { DialogForm } from '../forms/dialog-form.tsx'
import { useSubmit } from '../forms/use-submit.ts'
import { useCreatorChoice, useSendCreations } from './creator-choice.ts'
import type { KeysQuery } from './creator-keys.ts'
import { CreatorKeysField } from './creator-keys-field.tsx'
import type { WebhooksQuery } from './creator-webhooks.ts'
import { CreatorWebhooksField } from './creator-webhooks-field.tsx'
import { LoadingRows } from './empty-error-loading.tsx'

export interface EndAccessOptions {
  readonly title: string
  /** The consequences, in a sentence or two. */
  readonly children: ReactNode
  readonly confirmLabel: string
  /** The API keys of those whose access ends or is reduced. */
  readonly keys: KeysQuery
  /** Their active webhooks, if they may lose a permission. */
  readonly webhooks?: WebhooksQuery
  /** Who created the keys and webhooks: `robin`, `You`, or `Members`. */
  readonly creator: ReactNode
  /** Who created the webhooks, if not everybody who created the keys. */
  readonly webhooksCreator?: ReactNode
  readonly showsWorkspace?: boolean
  /** What becomes of the keys that stay. */
  readonly note?: string
  readonly color?: 'red' | 'green'
  /** @param revokeKeyIds the chosen keys @param pauseWebhookIds the chosen webhooks */
  readonly run: (revokeKeyIds: string, pauseWebhookIds: string) => Promise<void>
}

/** Ends or reduces somebody's access, and asks what becomes of what they created. */
export function EndAccessForm({
  children,
  confirmLabel,
  keys,
  webhooks,
  creator,
  webhooksCreator = creator,
  showsWorkspace = false,
  note = '',
  color = 'red',
  run,
  close,
}: Omit<EndAccessOptions, 'title'> & { readonly close: () => void }) {
  const revocation = useCreatorChoice(keys)
  const pausing = useCreatorChoice(webhooks ?? null)
  const form = useForm({ mode: 'uncontrolled', initialValues: {} })
  const sendCreations = useSendCreations({ revokeKeyIds: revocation, pauseWebhookIds: pausing })
  const submit = useSubmit(form, {}, async () => {
    await sendCreations(({ revokeKeyIds = '', pauseWebhookIds = '' }) => run(revokeKeyIds, pauseWebhookIds))
    close()
  })
  return (
    <DialogForm
      submit={submit}
      submitLabel={confirmLabel}
      color={color}
      isDisabled={!revocation.isReady || !pausing.isReady}
      isCancelFocused
    >
      <Stack gap="md">
        <Text component="div" size="sm">
          {children}
        </Text>
        {revocation.result.isPending || pausing.result.isPending ? (
          <LoadingRows rows={1} height={44} />
        ) : (
          <>
            <CreatorKeysField
              revocation={revocation}
              creator={creator}
              showsWorkspace={showsWorkspace}
              note={note}
            />
            <CreatorWebhooksField
              pausing={pausing}
              creator={webhooksCreator}
              showsWorkspace={showsWorkspace}
            />
          </>
        )}
      </Stack>
    </DialogForm>
  )
}
