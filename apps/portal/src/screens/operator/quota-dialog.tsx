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
  /** Null while nobody asks. */
  readonly workspace: WorkspaceRow | null
  readonly close: () => void
}

/** Sets how many calls a workspace may make in a month. */
export const QuotaDialog = ({ workspace, close }: Props) => (
  <Dialog
    opened={workspace !== null}
    onClose={close}
    title={workspace ? `Quota of ${workspace.groupName}` : ''}
  >
    {workspace ? <QuotaForm workspace={workspace} close={close} /> : null}
  </Dialog>
)

const labels = { monthlyQuota: 'Calls a month' }

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
        ? `${groupName} may make any number of calls.`
        : `${groupName} may make ${pluralize(quota.monthlyQuota, 'call')} a month.`,
    )
    await refresh()
  })
  return (
    <DialogForm submit={submit} cancel={close} submitLabel="Set the quota">
      <Text size="sm">
        <bdi>{groupName}</bdi> made {pluralize(callsThisMonth, 'call')} this month (UTC). Past its quota its
        writes are refused until the month ends; ban checks are still answered.
      </Text>
      <TextInput
        {...plainTextProps}
        label={labels.monthlyQuota}
        description="Empty: any number of them"
        name="monthlyQuota"
        inputMode="numeric"
        autoComplete="off"
        data-autofocus
        {...form.getInputProps('monthlyQuota')}
      />
      <Text size="sm" c="var(--reeve-warning)" role="status">
        {isBelow
          ? `That is used up already: with ${formatNumber(quotaText)} its writes are refused from the next call on.`
          : null}
      </Text>
    </DialogForm>
  )
}
