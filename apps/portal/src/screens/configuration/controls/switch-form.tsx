import { List, Radio, Stack, Text, Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import { readableWhileOff, type SwitchableEndpoint } from '@reeve/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useWorkspace } from '../../../api/me.ts'
import { Dialog } from '../../../components/dialog.tsx'
import { notifySuccess } from '../../../components/toast.tsx'
import { DialogForm } from '../../../forms/dialog-form.tsx'
import { useSubmit } from '../../../forms/use-submit.ts'
import { type Control, controlsKey, setControl } from './control-data.ts'
import { endpointLabels, type Mode, modeLabels, modes } from './endpoint-labels.ts'
import { ResponsePreview } from './response-preview.tsx'

/** A control whose mode can be changed. */
export interface SwitchableControl extends Control {
  readonly endpoint: SwitchableEndpoint
}

interface Props {
  /** The control to change; null while the dialog is closed. */
  readonly control: SwitchableControl | null
  readonly close: () => void
}

/** Changes the mode of an endpoint, with a preview of what clients will receive. */
export const SwitchForm = ({ control, close }: Props) => (
  <Dialog
    opened={control !== null}
    onClose={close}
    size="lg"
    title={control ? `Change ${endpointLabels[control.endpoint].title}` : ''}
    closeOnClickOutside={false}
  >
    {control ? <Fields control={control} close={close} /> : null}
  </Dialog>
)

const labels = { mode: 'Mode', message: 'Message' }

const descriptions: Readonly<Record<Mode, string>> = {
  on: 'All requests are accepted.',
  read_only: 'Reads are accepted; changes are rejected.',
  off: 'All requests are rejected.',
}

const formatAction = (title: string, mode: Mode): string =>
  mode === 'read_only' ? `Make ${title} read-only` : `Turn ${title} ${mode}`

function Fields({ control, close }: Props & { readonly control: SwitchableControl }) {
  const client = useQueryClient()
  const { id: workspaceId } = useWorkspace()
  const { endpoint } = control
  const { title } = endpointLabels[endpoint]
  const [mode, setMode] = useState<Mode>(control.mode)
  const [message, setMessage] = useState(control.message ?? '')
  const form = useForm({ mode: 'uncontrolled', initialValues: { mode: control.mode, message } })
  const isUnchanged = mode === control.mode && (mode === 'on' || message.trim() === (control.message ?? ''))
  const submit = useSubmit(form, labels, async () => {
    await setControl(workspaceId, endpoint, mode, mode === 'on' ? '' : message)
    await client.invalidateQueries({ queryKey: controlsKey(workspaceId) })
    close()
    notifySuccess(mode === 'read_only' ? `${title} is read-only.` : `${title} is ${mode}.`)
  })
  return (
    <DialogForm
      submit={submit}
      submitLabel={isUnchanged ? 'No changes' : formatAction(title, mode)}
      color={mode === 'off' ? 'red' : 'green'}
      isDisabled={isUnchanged}
    >
      <Radio.Group label={labels.mode} value={mode} onChange={(next) => setMode(next as Mode)}>
        <Stack gap="xs" mt={6}>
          {modes.map((option) => (
            <Radio
              key={option}
              value={option}
              label={modeLabels[option]}
              description={descriptions[option]}
              {...(option === control.mode ? { 'data-autofocus': true } : {})}
            />
          ))}
        </Stack>
      </Radio.Group>
      {mode === 'on' ? null : (
        <Textarea
          label={labels.message}
          description="Replaces the default error message. Say why, and until when."
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          name="message"
          autosize
          minRows={2}
          maxRows={6}
          maxLength={500}
          value={message}
          onChange={(event) => setMessage(event.currentTarget.value)}
          error={form.errors.message}
        />
      )}
      {mode === 'off' ? <StillReadable endpoint={endpoint} /> : null}
      <ResponsePreview endpoint={endpoint} mode={mode} message={message} />
    </DialogForm>
  )
}

/** What the mode does not turn off. */
const StillReadable = ({ endpoint }: { readonly endpoint: SwitchableEndpoint }) => (
  <div>
    <Text size="sm" fw={550}>
      Still readable in this portal, by members with permission
    </Text>
    <List size="sm" aria-label="Still readable">
      {readableWhileOff[endpoint].map(({ path, content }) => (
        <List.Item key={path}>{content}</List.Item>
      ))}
    </List>
  </div>
)
