import { List, Radio, Stack, Text, Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import { readableWhileOff, type SwitchableEndpoint } from '@reeve/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useWorkspace } from '../../../api/me.ts'
import { Dialog } from '../../../components/dialog.tsx'
import { notifySuccess } from '../../../components/toast.tsx'
import { DialogForm } from '../../../forms/dialog-form.tsx'
import { EditConflict } from '../../../forms/edit-conflict.tsx'
import { useStoredForm } from '../../../forms/use-stored-form.ts'
import { useSubmit } from '../../../forms/use-submit.ts'
import {
  type Control,
  controlsKey,
  controlsQuery,
  type StoredMode,
  setControl,
  toStoredMode,
} from './control-data.ts'
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

type Values = Record<keyof typeof labels, string>

const toValues = ({ mode, message }: StoredMode): Values => ({ mode, message })

function Fields({ control: opened, close }: Props & { readonly control: SwitchableControl }) {
  const client = useQueryClient()
  const { id: workspaceId } = useWorkspace()
  const { endpoint } = opened
  const { title } = endpointLabels[endpoint]
  const findControl = (controls: readonly Control[] = []) =>
    toStoredMode(controls.find((control) => control.endpoint === endpoint) ?? opened)
  const stored = findControl(useQuery(controlsQuery(workspaceId)).data)
  const form = useForm<Values>({ mode: 'controlled', initialValues: toValues(stored) })
  const { conflict, save } = useStoredForm(form, {
    noun: 'endpoint',
    labels,
    stored,
    toValues,
    readLatest: async () =>
      findControl(await client.fetchQuery({ ...controlsQuery(workspaceId), staleTime: 0 })),
    format: (name, value) => (name === 'mode' ? modeLabels[value as Mode] : value),
  })
  const mode = form.values.mode as Mode
  const { message } = form.values
  const before = form.getInitialValues()
  const isUnchanged = mode === before.mode && (mode === 'on' || message.trim() === before.message)
  const submit = useSubmit(form, labels, async (values) => {
    const change = { mode, message: mode === 'on' ? '' : message }
    await save(values, (seen) => setControl(workspaceId, endpoint, change, seen))
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
      <Radio.Group label={labels.mode} {...form.getInputProps('mode')}>
        <Stack gap="xs" mt={6}>
          {modes.map((option) => (
            <Radio
              key={option}
              value={option}
              label={modeLabels[option]}
              description={descriptions[option]}
              {...(option === opened.mode ? { 'data-autofocus': true } : {})}
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
          {...form.getInputProps('message')}
        />
      )}
      {mode === 'off' ? <StillReadable endpoint={endpoint} /> : null}
      <ResponsePreview endpoint={endpoint} mode={mode} message={message} />
      <EditConflict {...conflict} />
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
