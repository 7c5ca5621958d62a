import { NativeSelect, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useWorkspace } from '../../../api/me.ts'
import { Dialog } from '../../../components/dialog.tsx'
import { dateTime } from '../../../format/time.ts'
import { useNow } from '../../../format/use-now.ts'
import { DialogForm } from '../../../forms/dialog-form.tsx'
import { useSubmit } from '../../../forms/use-submit.ts'
import { type ApiKey, type FreshKey, hintOf, keysKey, rotateKey } from './key-data.ts'
import { orWarn } from './lost-answer.ts'

interface Props {
  /** The key to rotate; null while the form is shut. */
  readonly apiKey: ApiKey | null
  readonly close: () => void
  readonly made: (fresh: FreshKey) => void
}

/** Puts a new key in the place of one. */
export const RotateKey = ({ apiKey, close, made }: Props) => (
  <Dialog
    opened={apiKey !== null}
    onClose={close}
    title={apiKey ? `Rotate the key “${apiKey.name}” (${hintOf(apiKey)})` : ''}
  >
    {apiKey ? <Fields apiKey={apiKey} close={close} made={made} /> : null}
  </Dialog>
)

const HOUR = 3600
const lives = [
  [String(24 * HOUR), 'For a day'],
  [String(HOUR), 'For an hour'],
  [String(7 * 24 * HOUR), 'For a week'],
  [String(30 * 24 * HOUR), 'For 30 days'],
  ['0', 'Not at all: it ends at once'],
] as const
const FIRST = lives[0][0]

const labels = { graceSeconds: 'The present key works on' }
const LOST =
  'The key may have been rotated all the same: close this and look at the list before you try again.'

function Fields({ apiKey, close, made }: Props & { readonly apiKey: ApiKey }) {
  const client = useQueryClient()
  const now = useNow()
  const { id: workspaceId } = useWorkspace()
  const [grace, setGrace] = useState<string>(FIRST)
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { graceSeconds: FIRST as string },
    onValuesChange: ({ graceSeconds }) => setGrace(graceSeconds),
  })
  const submit = useSubmit(form, labels, async ({ graceSeconds }) => {
    const fresh = await orWarn(rotateKey(workspaceId, apiKey, graceSeconds), LOST).finally(() =>
      client.invalidateQueries({ queryKey: keysKey(workspaceId) }),
    )
    made(fresh)
  })
  return (
    <DialogForm
      submit={submit}
      cancel={close}
      action="Rotate the key"
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
            ? `${hintOf(apiKey)} is refused from the next call on: for a key that has leaked.`
            : `${hintOf(apiKey)} is refused from ${dateTime(now + Number(grace) * 1000)} on. You can end it sooner.`
        }
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        name="graceSeconds"
        data={lives.map(([value, label]) => ({ value, label }))}
        data-autofocus
        key={form.key('graceSeconds')}
        {...form.getInputProps('graceSeconds')}
      />
    </DialogForm>
  )
}
