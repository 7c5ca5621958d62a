import { Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { Permission } from '@reeve/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useWorkspace } from '../../../api/me.ts'
import { Dialog } from '../../../components/dialog.tsx'
import { DialogForm } from '../../../forms/dialog-form.tsx'
import { plainTextProps } from '../../../forms/text-fields.tsx'
import { useSubmit } from '../../../forms/use-submit.ts'
import { ExpiryField, getInitialExpiry, toExpiresAt } from '../expiry-field.tsx'
import { apiKeysKey, type CreatedKey, createKey } from './key-data.ts'
import { withLostResponseWarning } from './lost-response-warning.ts'
import { PermissionChoice } from './permission-choice.tsx'
import { CUSTOM_PRESET, presets } from './presets.ts'

interface Props {
  readonly opened: boolean
  readonly close: () => void
  readonly onCreated: (created: CreatedKey) => void
}

/** The form that creates a key. */
export const KeyForm = ({ opened, close, onCreated }: Props) => (
  <Dialog opened={opened} onClose={close} title="New API key" size="lg" closeOnClickOutside={false}>
    {opened ? <Fields onCreated={onCreated} /> : null}
  </Dialog>
)

const labels = {
  name: 'Name',
  preset: 'Used for',
  permissions: 'Permissions',
  expiry: 'Expiry',
  expiresAt: 'Expires at',
  allowedAddresses: 'Allowed IP addresses',
}

const LOST_RESPONSE_WARNING =
  'The key may have been created anyway. Check the list and revoke it before you try again.'

function Fields({ onCreated }: Pick<Props, 'onCreated'>) {
  const client = useQueryClient()
  const { id: workspaceId, permissions: ownPermissions } = useWorkspace()
  const initialPreset = presets.find(({ permissions }) =>
    permissions.every((permission) => ownPermissions.has(permission)),
  )
  const [preset, setPreset] = useState(initialPreset?.id ?? CUSTOM_PRESET)
  const [permissions, setPermissions] = useState<readonly Permission[]>(initialPreset?.permissions ?? [])
  const [selectedExpiry, setSelectedExpiry] = useState(getInitialExpiry(null).expiry)
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { ...getInitialExpiry(null), name: '', preset: '', permissions: '', allowedAddresses: '' },
    onValuesChange: (values) => setSelectedExpiry(values.expiry),
    validate: {
      permissions: () => (permissions.length === 0 ? 'Select at least one permission.' : null),
    },
  })
  const submit = useSubmit(form, labels, async ({ name, allowedAddresses, ...expiry }) => {
    const created = await withLostResponseWarning(
      createKey(workspaceId, { name, permissions, expiresAt: toExpiresAt(expiry, null), allowedAddresses }),
      LOST_RESPONSE_WARNING,
    ).finally(() => client.invalidateQueries({ queryKey: apiKeysKey(workspaceId) }))
    onCreated(created)
  })
  const error = form.errors.permissions
  return (
    <DialogForm submit={submit} submitLabel="Create key" gap="lg">
      <TextInput
        label={labels.name}
        description="The program that uses the key, such as “Main game server”."
        name="name"
        autoComplete="off"
        maxLength={100}
        data-autofocus
        key={form.key('name')}
        {...form.getInputProps('name')}
      />
      <PermissionChoice
        preset={preset}
        selected={permissions}
        onSelect={(id, selected) => {
          setPreset(id)
          setPermissions(selected)
          form.clearFieldError('permissions')
        }}
        error={typeof error === 'string' ? error : undefined}
      />
      <ExpiryField form={form} labels={labels} expiry={selectedExpiry} previous={null} />
      <Textarea
        label={labels.allowedAddresses}
        description="IP addresses or CIDR ranges such as 203.0.113.0/24, one per line. Leave empty to allow any address."
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        name="allowedAddresses"
        autosize
        minRows={2}
        maxRows={8}
        {...plainTextProps}
        key={form.key('allowedAddresses')}
        {...form.getInputProps('allowedAddresses')}
      />
    </DialogForm>
  )
}
