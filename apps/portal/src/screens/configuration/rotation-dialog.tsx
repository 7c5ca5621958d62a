import { NativeSelect, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { Dialog } from '../../components/dialog.tsx'
import { formatDateTime } from '../../format/time.ts'
import { useNow } from '../../format/use-now.ts'
import { DialogForm } from '../../forms/dialog-form.tsx'
import { useSubmit } from '../../forms/use-submit.ts'

interface RotationProps {
  /** What the rotation does. */
  readonly text: string
  readonly submitLabel: string
  /** Of the field with the grace period. */
  readonly label: string
  /** Seconds and their label; the first is the default, and `0` ends the current one at once. */
  readonly periods: readonly (readonly [seconds: string, label: string])[]
  readonly atOnce: string
  /** When the current one ends in any case, however long the grace period is; null if it does not. */
  readonly expiresAt?: string | null
  /** @param until date and time of the end of the current one */
  readonly describeGrace: (until: string) => string
  readonly rotate: (graceSeconds: string) => Promise<void>
}

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
  expiresAt = null,
  describeGrace,
  rotate,
}: RotationProps) {
  const now = useNow()
  const [grace, setGrace] = useState(periods[0]?.[0] ?? '0')
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { graceSeconds: grace },
    onValuesChange: ({ graceSeconds }) => setGrace(graceSeconds),
  })
  const submit = useSubmit(form, { graceSeconds: label }, ({ graceSeconds }) => rotate(graceSeconds))
  const graceEnd = now + Number(grace) * 1000
  const until = expiresAt === null ? graceEnd : Math.min(graceEnd, Date.parse(expiresAt))
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
    </DialogForm>
  )
}
