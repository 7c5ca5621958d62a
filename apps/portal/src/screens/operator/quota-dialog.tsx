import { Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { api, unwrap } from '../../api/client.ts'
import { Dialog } from '../../components/dialog.tsx'
import { notifySuccess } from '../../components/toast.tsx'
import { formatNumber, pluralize } from '../../format/number.ts'
import { DialogForm } from '../../forms/dialog-form.tsx'
import { plainTextProps } from '../../forms/text-fields.tsx'
import { useSubmit } from '../../forms/use-submit.ts'
import { useOperatorRefresh, type WorkspaceRow } from './operator-data.ts'

interface Props {
  /** Null while the dialog is closed. */
  readonly workspace: WorkspaceRow | null
  readonly close: () => void
}

/** Sets the monthly request quota of a workspace. */
export const QuotaDialog = ({ workspace, close }: Props) => (
  <Dialog
    opened={workspace !== null}
    onClose={close}
    title={workspace ? `Quota of ${workspace.groupName}` : ''}
  >
    {workspace ? <QuotaForm workspace={workspace} close={close} /> : null}
  </Dialog>
)

const labels = { monthlyQuota: 'Requests per month' }

function QuotaForm({ workspace, close }: { readonly workspace: WorkspaceRow; readonly close: () => void }) {
  const { id: workspaceId, groupName, monthlyQuota, callsThisMonth } = workspace
  const refresh = useOperatorRefresh()
  const form = useForm({ mode: 'controlled', initialValues: { monthlyQuota: monthlyQuota ?? '' } })
  const quotaText = form.values.monthlyQuota.replace(/[\s.,’']/g, '')
  const isBelow = /^\d+$/.test(quotaText) && Number(quotaText) <= Number(callsThisMonth)
  const submit = useSubmit(form, labels, async () => {
    const body = { workspaceId, monthlyQuota: quotaText === '' ? null : quotaText }
    const { quota } = await unwrap(api.POST('/admin/api/quotas', { body }))
    close()
    notifySuccess(
      quota.monthlyQuota === null
        ? `Removed the quota of ${groupName}.`
        : `Set the quota of ${groupName} to ${pluralize(quota.monthlyQuota, 'request')} per month.`,
    )
    await refresh()
  })
  return (
    <DialogForm submit={submit} cancel={close} submitLabel="Set quota">
      <Text size="sm">
        <bdi>{groupName}</bdi> has made {pluralize(callsThisMonth, 'request')} this month (UTC). Above the
        quota, API keys cannot make changes until the end of the month; ban checks keep working.
      </Text>
      <TextInput
        {...plainTextProps}
        label={labels.monthlyQuota}
        description="Leave empty for no limit"
        name="monthlyQuota"
        inputMode="numeric"
        autoComplete="off"
        data-autofocus
        {...form.getInputProps('monthlyQuota')}
      />
      <Text size="sm" c="var(--reeve-warning)" role="status">
        {isBelow
          ? `This quota is already used up: with ${formatNumber(quotaText)}, writes will be rejected immediately.`
          : null}
      </Text>
    </DialogForm>
  )
}
