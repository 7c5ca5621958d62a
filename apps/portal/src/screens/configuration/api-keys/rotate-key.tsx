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
  /** The key to rotate; null while the dialog is closed. */
  readonly apiKey: ApiKey | null
  readonly close: () => void
  readonly onCreated: (created: CreatedKey) => void
}

/** Rotates a key: creates a replacement and sets a grace period for the old one. */
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
  [String(24 * HOUR), '1 day'],
  [String(HOUR), '1 hour'],
  [String(7 * 24 * HOUR), '7 days'],
  [String(30 * 24 * HOUR), '30 days'],
  ['0', 'None: revoke it now'],
] as const
const DEFAULT_GRACE = gracePeriods[0][0]

const labels = { graceSeconds: 'Grace period of the current key' }
const LOST_RESPONSE_WARNING =
  'The key may have been rotated anyway. Close this dialog and check the list before you try again.'

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
      submitLabel="Rotate key"
      color={grace === '0' ? 'red' : 'green'}
    >
      <Text size="sm">
        This creates a new key with the same name, permissions and allowed IP addresses. Replace the current
        key with it before the grace period ends.
      </Text>
      <NativeSelect
        label={labels.graceSeconds}
        description={
          grace === '0'
            ? `${formatKeyHint(apiKey)} is rejected immediately. Use this if the key has leaked.`
            : `${formatKeyHint(apiKey)} works until ${formatDateTime(now + Number(grace) * 1000)}. You can revoke it sooner.`
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
