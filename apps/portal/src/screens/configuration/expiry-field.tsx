import { NativeSelect, Stack, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { DAY_MS } from '@reeve/core'
import { getNow } from '../../format/clock.ts'
import { timeZoneName } from '../../format/locale.ts'
import { formatDateTime } from '../../format/time.ts'
import { useNow } from '../../format/use-now.ts'

/** The expiry of the key that is replaced. */
const SAME = 'same'
const NEVER = 'never'
const CUSTOM = 'custom'

const expiryOptions = [
  [NEVER, 'Never'],
  ['30', 'After 30 days'],
  ['90', 'After 90 days'],
  ['365', 'After a year'],
  [CUSTOM, 'Custom…'],
] as const

export interface ExpiryValues {
  readonly expiry: string
  readonly expiresAt: string
}

/** The initial values of the form. @param previous when the key that is replaced expires; null if it does not, or if none is replaced */
export const getInitialExpiry = (previous: string | null): ExpiryValues => ({
  expiry: previous === null ? NEVER : SAME,
  expiresAt: '',
})

/**
 * The chosen expiry for the API: RFC 3339, null for none, or the typed text if it is not a valid time.
 * @param previous when the key that is replaced expires
 */
export function toExpiresAt({ expiry, expiresAt }: ExpiryValues, previous: string | null): string | null {
  if (expiry === SAME) return previous
  if (expiry === NEVER) return null
  if (expiry !== CUSTOM) return new Date(getNow() + Number(expiry) * DAY_MS).toISOString()
  const at = new Date(expiresAt)
  return Number.isNaN(at.getTime()) ? expiresAt : at.toISOString()
}

interface Props<Values extends ExpiryValues> {
  readonly form: UseFormReturnType<Values>
  readonly labels: { readonly expiry: string; readonly expiresAt: string }
  /** The selected option. */
  readonly expiry: string
  /** When the key that is replaced expires, which is an option then. */
  readonly previous: string | null
}

/** The expiry of a key: a preset, or a time in the user's time zone. */
export function ExpiryField<Values extends ExpiryValues>({ form, labels, expiry, previous }: Props<Values>) {
  const now = useNow()
  const isPreset = expiry !== SAME && expiry !== NEVER && expiry !== CUSTOM
  const sameOption = previous === null ? [] : [[SAME, `As before: ${formatDateTime(previous)}`] as const]
  return (
    <Stack gap="xs">
      <NativeSelect
        label={labels.expiry}
        name="expiry"
        data={[...sameOption, ...expiryOptions].map(([value, label]) => ({ value, label }))}
        description={isPreset ? `Expires ${formatDateTime(now + Number(expiry) * DAY_MS)}.` : undefined}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        key={form.key('expiry')}
        {...form.getInputProps('expiry')}
      />
      {expiry === CUSTOM ? (
        <TextInput
          type="datetime-local"
          label={labels.expiresAt}
          description={`In your time zone, ${timeZoneName}.`}
          name="expiresAt"
          key={form.key('expiresAt')}
          {...form.getInputProps('expiresAt')}
        />
      ) : null}
    </Stack>
  )
}
