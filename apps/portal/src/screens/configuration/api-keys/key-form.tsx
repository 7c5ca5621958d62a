import { Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { Permission } from '@reeve/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useWorkspace } from '../../../api/me.ts'
import { Dialog } from '../../../components/dialog.tsx'
import { DialogForm } from '../../../forms/dialog-form.tsx'
import { plainText } from '../../../forms/plain-text.ts'
import { useSubmit } from '../../../forms/use-submit.ts'
import { ExpiryField, expiryOf, firstExpiry } from './expiry-field.tsx'
import { type FreshKey, keysKey, makeKey } from './key-data.ts'
import { orWarn } from './lost-answer.ts'
import { PermissionChoice } from './permission-choice.tsx'
import { OWN_CHOICE, presets } from './presets.ts'

interface Props {
  readonly opened: boolean
  readonly close: () => void
  readonly made: (fresh: FreshKey) => void
}

/** Makes a key. */
export const KeyForm = ({ opened, close, made }: Props) => (
  <Dialog opened={opened} onClose={close} title="New API key" size="lg" closeOnClickOutside={false}>
    {opened ? <Fields close={close} made={made} /> : null}
  </Dialog>
)

const labels = {
  name: 'Name',
  preset: 'What it is used for',
  permissions: 'Permissions',
  ends: 'When it ends',
  expiresAt: 'End',
  allowedAddresses: 'Allowed addresses',
}

const LOST =
  'The key may have been made all the same: look for it in the list, and revoke it, before you try again.'

function Fields({ close, made }: Omit<Props, 'opened'>) {
  const client = useQueryClient()
  const { id: workspaceId, permissions: own } = useWorkspace()
  const first = presets.find(({ permissions }) => permissions.every((one) => own.has(one)))
  const [preset, setPreset] = useState(first?.id ?? OWN_CHOICE)
  const [permissions, setPermissions] = useState<readonly Permission[]>(first?.permissions ?? [])
  const [ends, setEnds] = useState(firstExpiry.ends)
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { ...firstExpiry, name: '', preset: '', permissions: '', allowedAddresses: '' },
    onValuesChange: (values) => setEnds(values.ends),
    validate: {
      permissions: () =>
        permissions.length === 0 ? 'Choose at least one: without any, the key could do nothing.' : null,
    },
  })
  const submit = useSubmit(form, labels, async ({ name, allowedAddresses, ...expiry }) => {
    const fresh = await orWarn(
      makeKey(workspaceId, { name, permissions, expiresAt: expiryOf(expiry), allowedAddresses }),
      LOST,
    ).finally(() => client.invalidateQueries({ queryKey: keysKey(workspaceId) }))
    made(fresh)
  })
  const error = form.errors.permissions
  return (
    <DialogForm submit={submit} cancel={close} action="Make the key" gap="lg">
      <TextInput
        label={labels.name}
        description="What uses it, so that you know it again: “Main game server”."
        name="name"
        autoComplete="off"
        maxLength={100}
        data-autofocus
        key={form.key('name')}
        {...form.getInputProps('name')}
      />
      <PermissionChoice
        preset={preset}
        chosen={permissions}
        choose={(id, chosen) => {
          setPreset(id)
          setPermissions(chosen)
          form.clearFieldError('permissions')
        }}
        error={typeof error === 'string' ? error : undefined}
      />
      <ExpiryField form={form} labels={labels} ends={ends} />
      <Textarea
        label={labels.allowedAddresses}
        description="Network addresses or ranges, such as 203.0.113.0/24, one a line. Empty: from everywhere."
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        name="allowedAddresses"
        autosize
        minRows={2}
        maxRows={8}
        {...plainText}
        key={form.key('allowedAddresses')}
        {...form.getInputProps('allowedAddresses')}
      />
    </DialogForm>
  )
}
