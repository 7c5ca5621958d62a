import { Anchor, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { plainTextProps } from './text-fields.tsx'
import { type FormSubmission, useSubmit } from './use-submit.ts'

const labels = { code: 'Code', recoveryCode: 'Recovery code' }
const CODE_LENGTH = 6

/** What the form sends: one of the fields. */
export type SecondFactorProof = { readonly code: string } | { readonly recoveryCode: string }

interface Props {
  /** The second factors that the account has. */
  readonly factors: readonly string[]
  /** Sends the code; its errors are shown. */
  readonly send: (proof: SecondFactorProof) => Promise<void>
  /** Renders the form with its button and its error message. */
  readonly children: (submit: FormSubmission, fields: ReactNode) => ReactNode
}

/** Asks for the code of an authenticator app, or for a recovery code. Six digits are sent at once. */
export function SecondFactorForm({ factors, send, children }: Props) {
  const [method, setMethod] = useState(factors.includes('totp') ? 'totp' : 'recovery_code')
  const form = useForm({ mode: 'controlled', initialValues: { code: '', recoveryCode: '' } })
  const field = useRef<HTMLInputElement>(null)
  const submit = useSubmit(form, labels, ({ code, recoveryCode }) =>
    send(method === 'totp' ? { code } : { recoveryCode }),
  )
  const { code } = form.values
  useEffect(() => {
    if (code.length === CODE_LENGTH) field.current?.form?.requestSubmit()
  }, [code])
  // Also after the switch to the other kind of code.
  useEffect(() => field.current?.focus(), [method])
  const isTotp = method === 'totp'
  const others = isTotp ? 'recovery_code' : 'totp'
  return children(
    submit,
    <>
      {isTotp ? (
        <TextInput
          ref={field}
          size="md"
          label={labels.code}
          description="Six digits, from your authenticator app"
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          {...form.getInputProps('code')}
          onChange={(event) =>
            form.setFieldValue('code', event.currentTarget.value.replace(/\D/g, '').slice(0, CODE_LENGTH))
          }
        />
      ) : (
        <TextInput
          {...plainTextProps}
          autoCapitalize="characters"
          ref={field}
          size="md"
          label={labels.recoveryCode}
          description="One of those that you stored. Each works once"
          name="recoveryCode"
          autoComplete="off"
          {...form.getInputProps('recoveryCode')}
        />
      )}
      {factors.includes(others) ? (
        <Anchor
          component="button"
          type="button"
          size="sm"
          ta="start"
          onClick={() => {
            submit.clear()
            setMethod(others)
          }}
        >
          {isTotp ? 'Use a recovery code' : 'Use the code of your authenticator app'}
        </Anchor>
      ) : null}
    </>,
  )
}
