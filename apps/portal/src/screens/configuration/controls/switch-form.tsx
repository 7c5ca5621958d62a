import { Radio, Stack, Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { SwitchableEndpoint } from '@reeve/core'
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

/** A control that can be switched. */
export interface SwitchableControl extends Control {
  readonly endpoint: SwitchableEndpoint
}

interface Props {
  /** The one to switch; null while the form is shut. */
  readonly control: SwitchableControl | null
  readonly close: () => void
}

/** Switches an endpoint, after saying what callers will get. */
export const SwitchForm = ({ control, close }: Props) => (
  <Dialog
    opened={control !== null}
    onClose={close}
    size="lg"
    title={control ? `Switch ${endpointLabels[control.endpoint].title}` : ''}
    closeOnClickOutside={false}
  >
    {control ? <Fields control={control} close={close} /> : null}
  </Dialog>
)

const labels = { mode: 'It is', message: 'Message' }

const descriptions: Readonly<Record<Mode, string>> = {
  on: 'Every call is answered.',
  read_only: 'Reads are answered; what would change something is refused.',
  off: 'Every call is refused.',
}

const formatAction = (title: string, mode: Mode): string =>
  mode === 'read_only' ? `Make ${title} read-only` : `Switch ${title} ${mode}`

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
      cancel={close}
      submitLabel={isUnchanged ? 'Nothing is changed' : formatAction(title, mode)}
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
          description="What refused callers read in place of the usual sentence: say why, and until when."
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
      <ResponsePreview endpoint={endpoint} mode={mode} message={message} />
    </DialogForm>
  )
}
