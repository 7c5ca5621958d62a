import { NativeSelect, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { Dialog } from '../../components/dialog.tsx'
import { formatDateTime } from '../../format/time.ts'
import { useNow } from '../../format/use-now.ts'
import { DialogForm } from '../../forms/dialog-form.tsx'
import { useSubmit } from '../../forms/use-submit.ts'
import { ExpiryField, getInitialExpiry, toExpiresAt } from './expiry-field.tsx'

interface RotationProps {
  /** What the rotation does. */
  readonly text: string
  readonly submitLabel: string
  /** Of the field with the grace period. */
  readonly label: string
  /** Seconds and their label; the first is the default, and `0` ends the current one at once. */
  readonly periods: readonly (readonly [seconds: string, label: string])[]
  readonly atOnce: string
  /** When the current one ends in any case, however long the grace period is; null if it does not. Absent for what cannot expire. */
  readonly expiresAt?: string | null
  /** @param until date and time of the end of the current one */
  readonly describeGrace: (until: string) => string
  /** @param expiresAt of the new one: RFC 3339; null for no expiry */
  readonly rotate: (graceSeconds: string, expiresAt: string | null) => Promise<void>
}

const expiryLabels = { expiry: 'Expiry of the new key', expiresAt: 'Expires at' }

interface Props extends RotationProps {
  readonly opened: boolean
  readonly close: () => void
  readonly title: string
}

/** Replaces a secret, and sets for how long the current one remains valid. */
export const RotationDialog = ({ opened, close, title, ...props }: Props) => (
  <Dialog opened={opened} onClose={close} title={title}>
    {opened ? <Fields {...props} /> : null}
  </Dialog>
)

function Fields({
  text,
  submitLabel,
  label,
  periods,
  atOnce,
  expiresAt,
  describeGrace,
  rotate,
}: RotationProps) {
  const now = useNow()
  const previous = expiresAt ?? null
  const [selected, setSelected] = useState({
    ...getInitialExpiry(previous),
    graceSeconds: periods[0]?.[0] ?? '0',
  })
  const form = useForm({ mode: 'uncontrolled', initialValues: selected, onValuesChange: setSelected })
  const labels = { graceSeconds: label, ...expiryLabels }
  const submit = useSubmit(form, labels, ({ graceSeconds, ...expiry }) =>
    rotate(graceSeconds, toExpiresAt(expiry, previous)),
  )
  const grace = selected.graceSeconds
  const graceEnd = now + Number(grace) * 1000
  const until = previous === null ? graceEnd : Math.min(graceEnd, Date.parse(previous))
  return (
    <DialogForm submit={submit} submitLabel={submitLabel} color={grace === '0' ? 'red' : 'green'}>
      <Text size="sm">{text}</Text>
      <NativeSelect
        label={label}
        description={grace === '0' ? atOnce : describeGrace(formatDateTime(until))}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        name="graceSeconds"
        data={periods.map(([value, period]) => ({ value, label: period }))}
        data-autofocus
        key={form.key('graceSeconds')}
        {...form.getInputProps('graceSeconds')}
      />
      {expiresAt === undefined ? null : (
        <ExpiryField form={form} labels={expiryLabels} expiry={selected.expiry} previous={previous} />
      )}
    </DialogForm>
  )
}
