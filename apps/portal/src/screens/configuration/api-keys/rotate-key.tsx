import { NativeSelect, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useWorkspace } from '../../../api/me.ts'
import { Dialog } from '../../../components/dialog.tsx'
import { formatDateTime } from '../../../format/time.ts'
import { useNow } from '../../../format/use-now.ts'
import { DialogForm } from '../../../forms/dialog-form.tsx'
import { useSubmit } from '../../../forms/use-submit.ts'
import { type ApiKey, apiKeysKey, type CreatedKey, formatKeyHint, rotateKey } from './key-data.ts'
import { withLostResponseWarning } from './lost-response-warning.ts'

interface Props {
  /** The key to rotate; null while the form is shut. */
  readonly apiKey: ApiKey | null
  readonly close: () => void
  readonly onCreated: (created: CreatedKey) => void
}

/** Puts a new key in the place of one. */
export const RotateKey = ({ apiKey, close, onCreated }: Props) => (
  <Dialog
    opened={apiKey !== null}
    onClose={close}
    title={apiKey ? `Rotate the key “${apiKey.name}” (${formatKeyHint(apiKey)})` : ''}
  >
    {apiKey ? <Fields apiKey={apiKey} close={close} onCreated={onCreated} /> : null}
  </Dialog>
)

const HOUR = 3600
const gracePeriods = [
  [String(24 * HOUR), 'For a day'],
  [String(HOUR), 'For an hour'],
  [String(7 * 24 * HOUR), 'For a week'],
  [String(30 * 24 * HOUR), 'For 30 days'],
  ['0', 'Not at all: it ends at once'],
] as const
const DEFAULT_GRACE = gracePeriods[0][0]

const labels = { graceSeconds: 'The present key works on' }
const LOST_RESPONSE_WARNING =
  'The key may have been rotated all the same: close this and look at the list before you try again.'

function Fields({ apiKey, close, onCreated }: Props & { readonly apiKey: ApiKey }) {
  const client = useQueryClient()
  const now = useNow()
  const { id: workspaceId } = useWorkspace()
  const [grace, setGrace] = useState<string>(DEFAULT_GRACE)
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { graceSeconds: DEFAULT_GRACE as string },
    onValuesChange: ({ graceSeconds }) => setGrace(graceSeconds),
  })
  const submit = useSubmit(form, labels, async ({ graceSeconds }) => {
    const created = await withLostResponseWarning(
      rotateKey(workspaceId, apiKey, graceSeconds),
      LOST_RESPONSE_WARNING,
    ).finally(() => client.invalidateQueries({ queryKey: apiKeysKey(workspaceId) }))
    onCreated(created)
  })
  return (
    <DialogForm
      submit={submit}
      cancel={close}
      submitLabel="Rotate the key"
      color={grace === '0' ? 'red' : 'green'}
    >
      <Text size="sm">
        You get a new key of the same name that may do the same, from the same addresses. Put it where the
        present one is while that one still works.
      </Text>
      <NativeSelect
        label={labels.graceSeconds}
        description={
          grace === '0'
            ? `${formatKeyHint(apiKey)} is refused from the next call on: for a key that has leaked.`
            : `${formatKeyHint(apiKey)} is refused from ${formatDateTime(now + Number(grace) * 1000)} on. You can end it sooner.`
        }
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        name="graceSeconds"
        data={gracePeriods.map(([value, label]) => ({ value, label }))}
        data-autofocus
        key={form.key('graceSeconds')}
        {...form.getInputProps('graceSeconds')}
      />
    </DialogForm>
  )
}
