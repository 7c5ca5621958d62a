import { Button, Group, Loader, Stack, Text, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import { VERIFICATION_MINUTES } from '@reeve/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { api, unwrap } from '../../api/client.ts'
import { getErrorMessage } from '../../api/error.ts'
import { type Me, meQuery } from '../../api/me.ts'
import { type Provider, providers, verifyInNewTab } from '../../api/providers.ts'
import type { usePendingVerification } from '../../api/verification.ts'
import { getFocused, returnFocus } from '../../app/keep-focus.ts'
import { FormAlert } from '../../forms/form-alert.tsx'
import { PasswordField } from '../../forms/password-field.tsx'
import { SecondFactorForm } from '../../forms/second-factor-form.tsx'
import { type FormSubmission, useSubmit } from '../../forms/use-submit.ts'
import { PasskeyOr } from '../../passkeys/passkey-or.tsx'
import { verifyWithPasskey } from '../../passkeys/passkeys.ts'
import { ProviderButtonList } from './provider-buttons.tsx'
import classes from './verification-dialog.module.css'

type Pending = NonNullable<ReturnType<typeof usePendingVerification>>

/** Asks the user to confirm who they are. The page below keeps its state, including typed input. */
export const VerificationDialog = ({ pending }: { readonly pending: Pending | null }) =>
  pending ? <OpenedDialog pending={pending} /> : null

function OpenedDialog({ pending: { confirm, cancel } }: { readonly pending: Pending }) {
  const titleId = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  // A factor may have been added elsewhere since the page was loaded.
  const { data: me, error, isFetching } = useQuery({ ...meQuery, refetchOnMount: 'always' })

  // A native modal dialog is above every other one, and makes everything below it inert.
  useEffect(() => {
    const { current } = dialog
    const focusBefore = getFocused()
    current?.showModal()
    return () => {
      current?.close()
      returnFocus(focusBefore)
    }
  }, [])

  return (
    <dialog
      ref={dialog}
      className={classes.dialog}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault()
        cancel()
      }}
    >
      <Title order={2} id={titleId} tabIndex={-1}>
        Confirm that it is you
      </Title>
      {me && !isFetching ? (
        <>
          <Text size="sm" c="dimmed" mt="xs">
            What you are doing needs it. You are not asked again for {VERIFICATION_MINUTES} minutes.
          </Text>
          <Proof me={me} confirm={confirm} cancel={cancel} />
        </>
      ) : error ? (
        <Unavailable cancel={cancel}>{getErrorMessage(error)}</Unavailable>
      ) : (
        <Loader size="sm" mt="md" aria-label="Loading" />
      )}
    </dialog>
  )
}

interface ProofProps extends Pending {
  readonly me: Me
}

function Proof({ me, confirm, cancel }: ProofProps) {
  const { verificationFactors: factors } = me
  const send = async (body: object) => {
    await unwrap(api.POST('/portal/api/verification', { body }))
    confirm()
  }
  if (factors.some(isSecondFactor)) {
    return (
      <PasskeyOr
        factors={factors}
        onPasskey={async () => {
          await verifyWithPasskey()
          confirm()
        }}
        footer={<Cancel cancel={cancel} label="Cancel" />}
      >
        <SecondFactorForm factors={factors} send={send}>
          {(submit, fields) => (
            <ProofForm submit={submit} cancel={cancel}>
              {fields}
            </ProofForm>
          )}
        </SecondFactorForm>
      </PasskeyOr>
    )
  }
  if (factors.includes('password')) return <PasswordProof me={me} send={send} cancel={cancel} />
  const shown = providers.filter(({ id }) => me.verificationProviders.includes(id))
  if (shown.length > 0) return <ProviderProof shown={shown} cancel={cancel} />
  return (
    <Unavailable cancel={cancel}>
      Your account has neither a password nor a second factor to confirm it with. Sign out, sign in again, and
      repeat what you were doing within {VERIFICATION_MINUTES} minutes.
    </Unavailable>
  )
}

/** The provider asks in a new tab, which tells this one. What was typed on the page stays. */
const ProviderProof = ({
  shown,
  cancel,
}: {
  readonly shown: readonly Provider[]
  readonly cancel: () => void
}) => (
  <Stack gap="md" mt="md">
    <Text size="sm">Sign in again where you sign in to Reeve. That opens a new tab.</Text>
    <ProviderButtonList
      shown={shown}
      action="Confirm with"
      begin={async (id) => {
        await verifyInNewTab(id)
        return false
      }}
      blocked="Your browser blocked the new tab. Allow this site to open tabs, then try again."
    />
    <Cancel cancel={cancel} label="Cancel" />
  </Stack>
)

const isSecondFactor = (factor: string): boolean => factor !== 'password' && factor !== 'identity'

const labels = { password: 'Your password' }

interface PasswordProofProps {
  readonly me: Me
  readonly send: (body: object) => Promise<void>
  readonly cancel: () => void
}

function PasswordProof({ me, send, cancel }: PasswordProofProps) {
  const form = useForm({ mode: 'uncontrolled', initialValues: { password: '' } })
  const submit = useSubmit(form, labels, send)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  return (
    <ProofForm submit={submit} cancel={cancel}>
      {/* Tells password managers which account this is. */}
      <input type="text" name="username" autoComplete="username" value={me.username} readOnly hidden />
      <PasswordField
        ref={field}
        size="md"
        label={labels.password}
        name="password"
        autoComplete="current-password"
        key={form.key('password')}
        {...form.getInputProps('password')}
      />
    </ProofForm>
  )
}

interface ProofFormProps {
  readonly submit: FormSubmission
  readonly cancel: () => void
  readonly children: ReactNode
}

const ProofForm = ({ submit, cancel, children }: ProofFormProps) => (
  <form onSubmit={submit.onSubmit} noValidate>
    <Stack gap="md" mt="xs">
      {children}
      <FormAlert>{submit.alert}</FormAlert>
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={cancel}>
          Cancel
        </Button>
        <Button type="submit" loading={submit.isBusy}>
          Confirm
        </Button>
      </Group>
    </Stack>
  </form>
)

const Unavailable = ({ cancel, children }: { readonly cancel: () => void; readonly children: ReactNode }) => (
  <Stack gap="md" mt="xs">
    <Text size="sm">{children}</Text>
    <Cancel cancel={cancel} label="Close" />
  </Stack>
)

const Cancel = ({ cancel, label }: { readonly cancel: () => void; readonly label: string }) => (
  <Group justify="flex-end">
    <Button variant="default" onClick={cancel}>
      {label}
    </Button>
  </Group>
)
