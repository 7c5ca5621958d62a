import { NativeSelect, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { type Permission, permissions, type SecondFactorPolicy } from '@reeve/core'
import { useWorkspace } from '../../../api/me.ts'
import { Dialog } from '../../../components/dialog.tsx'
import { PermissionCheckboxes } from '../../../components/permission-checkboxes.tsx'
import { notifySuccess } from '../../../components/toast.tsx'
import { pluralize } from '../../../format/number.ts'
import { DialogForm } from '../../../forms/dialog-form.tsx'
import { useSubmit } from '../../../forms/use-submit.ts'
import { SUGGESTED_PERMISSIONS, saveSecondFactorPolicy } from './second-factor-policy.ts'
import { useRefreshWorkspace } from './workspace-data.ts'

interface Props {
  readonly isOpen: boolean
  readonly close: () => void
  readonly policy: SecondFactorPolicy | null
}

/** Decides of whom the workspace requires a second factor. */
export const SecondFactorDialog = ({ isOpen, close, policy }: Props) => (
  <Dialog
    opened={isOpen}
    onClose={close}
    title="Require second factors"
    size="lg"
    closeOnClickOutside={false}
  >
    <PolicyForm close={close} policy={policy} />
  </Dialog>
)

const labels = { permissions: 'Permissions', graceDays: 'Grace period' }
const DEFAULT_GRACE_DAYS = 14
const GRACE_DAYS = [0, 1, 3, 7, 14, 30, 60, 90]

/** The choices of grace periods, and the current one, which another client may have set. */
const listGraceDays = (current: number) =>
  [...new Set([...GRACE_DAYS, current])]
    .sort((a, b) => a - b)
    .map((days) => ({ value: String(days), label: days === 0 ? 'None' : pluralize(days, 'day') }))

function PolicyForm({ close, policy }: Pick<Props, 'close' | 'policy'>) {
  const { id: workspaceId } = useWorkspace()
  const refresh = useRefreshWorkspace(workspaceId)
  const form = useForm({
    mode: 'controlled',
    initialValues: {
      permissions: policy?.permissions ?? SUGGESTED_PERMISSIONS,
      graceDays: policy?.graceDays ?? DEFAULT_GRACE_DAYS,
    },
  })
  const { permissions: selected, graceDays } = form.values
  const submit = useSubmit(form, labels, async (values) => {
    await saveSecondFactorPolicy(workspaceId, values)
    close()
    notifySuccess(
      values.permissions.length === 0
        ? 'This workspace requires no second factors.'
        : 'This workspace requires second factors.',
    )
    await refresh()
  })
  return (
    <DialogForm
      submit={submit}
      submitLabel={selected.length === 0 ? 'Require none' : 'Require second factors'}
      writesTo={null}
    >
      <Text size="sm">
        Members who have a role with one of these permissions need a second factor. So do you, because owners
        have all permissions. Without any, nobody needs one.
      </Text>
      <PermissionCheckboxes
        available={permissions}
        selected={selected}
        onSelect={(next: readonly Permission[]) => form.setFieldValue('permissions', next)}
        error={form.errors.permissions?.toString()}
      />
      <NativeSelect
        label={labels.graceDays}
        description="How long members have to add one, from now, or from when they get such a role. After that, they cannot use this workspace without one."
        name="graceDays"
        value={String(graceDays)}
        onChange={(event) => form.setFieldValue('graceDays', Number(event.currentTarget.value))}
        data={listGraceDays(graceDays)}
        error={form.errors.graceDays}
      />
    </DialogForm>
  )
}
