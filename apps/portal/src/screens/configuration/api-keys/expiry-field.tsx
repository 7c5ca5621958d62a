import { NativeSelect, Stack, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { timeZone } from '../../../format/locale.ts'
import { formatDateTime } from '../../../format/time.ts'
import { useNow } from '../../../format/use-now.ts'

const DAY = 24 * 3_600_000
const NEVER = 'never'
const CUSTOM = 'own'

const expiryOptions = [
  [NEVER, 'Never: until it is revoked'],
  ['30', 'After 30 days'],
  ['90', 'After 90 days'],
  ['365', 'After a year'],
  [CUSTOM, 'At a time of your own…'],
] as const

export interface ExpiryValues {
  readonly ends: string
  readonly expiresAt: string
}

/** How a new key begins. */
export const initialExpiry: ExpiryValues = { ends: NEVER, expiresAt: '' }

/** What was chosen, for the server: a time, null for none, or what was typed where that is no time. */
export function toExpiresAt({ ends, expiresAt }: ExpiryValues): string | null {
  if (ends === NEVER) return null
  if (ends !== CUSTOM) return new Date(Date.now() + Number(ends) * DAY).toISOString()
  const at = new Date(expiresAt)
  return Number.isNaN(at.getTime()) ? expiresAt : at.toISOString()
}

interface Props<Values extends ExpiryValues> {
  readonly form: UseFormReturnType<Values>
  readonly labels: { readonly ends: string; readonly expiresAt: string }
  /** What is chosen now. */
  readonly ends: string
}

/** When a key ends: by a usual length, or at a time in the reader's own zone. */
export function ExpiryField<Values extends ExpiryValues>({ form, labels, ends }: Props<Values>) {
  const now = useNow()
  const isPreset = ends !== NEVER && ends !== CUSTOM
  return (
    <Stack gap="xs">
      <NativeSelect
        label={labels.ends}
        name="ends"
        data={expiryOptions.map(([value, label]) => ({ value, label }))}
        description={isPreset ? `Until ${formatDateTime(now + Number(ends) * DAY)}.` : undefined}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        key={form.key('ends')}
        {...form.getInputProps('ends')}
      />
      {ends === CUSTOM ? (
        <TextInput
          type="datetime-local"
          label={labels.expiresAt}
          description={`In your time zone, ${timeZone}.`}
          name="expiresAt"
          key={form.key('expiresAt')}
          {...form.getInputProps('expiresAt')}
        />
      ) : null}
    </Stack>
  )
}
