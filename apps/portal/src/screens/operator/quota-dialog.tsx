import { Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { parseSize, toSizeText } from '@reeve/core/size'
import { api, unwrap } from '../../api/client.ts'
import { Dialog } from '../../components/dialog.tsx'
import { notifySuccess } from '../../components/toast.tsx'
import { formatBytes, formatNumber, pluralize } from '../../format/number.ts'
import { DialogForm } from '../../forms/dialog-form.tsx'
import { plainTextProps } from '../../forms/text-fields.tsx'
import { useSubmit } from '../../forms/use-submit.ts'
import { useOperatorRefresh, type WorkspaceRow } from './operator-data.ts'

interface Props {
  /** Null while the dialog is closed. */
  readonly workspace: WorkspaceRow | null
  readonly close: () => void
}

/** Sets the monthly request quota and the storage quota of a workspace. */
export const QuotaDialog = ({ workspace, close }: Props) => (
  <Dialog
    opened={workspace !== null}
    onClose={close}
    title={workspace ? `Quotas of ${workspace.groupName}` : ''}
  >
    {workspace ? <QuotaForm workspace={workspace} close={close} /> : null}
  </Dialog>
)

/** A number with separators between groups of digits, as it is shown: `1,000,000`, or `10,00,000` in India. */
const GROUPED_NUMBER = /^\d{1,3}([\s.,’'])(?:\d{2,3}\1)*\d{3}$/

/** The number without its separators; anything else as it is, which the server explains. */
const toPlainNumber = (text: string): string => (GROUPED_NUMBER.test(text) ? text.replace(/\D/g, '') : text)

const labels = { monthlyQuota: 'Requests per month', storageQuota: 'Storage' }

function QuotaForm({ workspace, close }: { readonly workspace: WorkspaceRow; readonly close: () => void }) {
  const { id: workspaceId, groupName, callsThisMonth, storageBytes } = workspace
  const refresh = useOperatorRefresh()
  const form = useForm({
    mode: 'controlled',
    initialValues: {
      monthlyQuota: workspace.monthlyQuota ?? '',
      storageQuota: workspace.storageQuota === null ? '' : toSizeText(Number(workspace.storageQuota)),
    },
  })
  const quotaText = toPlainNumber(form.values.monthlyQuota.trim())
  const sizeText = form.values.storageQuota.trim()
  const initial = form.getInitialValues()
  // Somebody else may have set the other one meanwhile.
  const changes = {
    ...(quotaText !== initial.monthlyQuota && { monthlyQuota: quotaText === '' ? null : quotaText }),
    ...(sizeText !== initial.storageQuota && { storageQuota: sizeText === '' ? null : sizeText }),
  }
  const isUnchanged = Object.keys(changes).length === 0
  const submit = useSubmit(form, labels, async () => {
    await unwrap(api.POST('/admin/api/quotas', { body: { workspaceId, ...changes } }))
    close()
    notifySuccess(`Changed the quotas of ${groupName}.`)
    await refresh()
  })
  return (
    <DialogForm
      submit={submit}
      submitLabel={isUnchanged ? 'No changes' : 'Set quotas'}
      isDisabled={isUnchanged}
    >
      <Text size="sm">
        <bdi>{groupName}</bdi> has made {pluralize(callsThisMonth, 'request')} this month (UTC) and stores{' '}
        {formatBytes(storageBytes)}.
      </Text>
      <TextInput
        {...plainTextProps}
        label={labels.monthlyQuota}
        description="Above it, API keys cannot make changes until the end of the month; ban checks keep working. Leave empty for no limit."
        name="monthlyQuota"
        inputMode="numeric"
        autoComplete="off"
        data-autofocus
        {...form.getInputProps('monthlyQuota')}
      />
      <TextInput
        {...plainTextProps}
        label={labels.storageQuota}
        description="A size such as 5 GB. Above it, images, archives, copies, imports, notes, comments and evidence are rejected; other moderation goes on. Leave empty for the default of the instance; 0 means no limit."
        name="storageQuota"
        autoComplete="off"
        {...form.getInputProps('storageQuota')}
      />
      <Text size="sm" c="var(--reeve-warning)" role="status">
        {/^\d+$/.test(quotaText) && Number(quotaText) <= Number(callsThisMonth)
          ? `This request quota is already used up: with ${formatNumber(quotaText)}, writes will be rejected immediately. `
          : null}
        {isUsedUp(sizeText, Number(storageBytes)) ? 'This storage quota is already used up.' : null}
      </Text>
    </DialogForm>
  )
}

/** Whether a quota, if it is a valid one, is used up by what is stored. */
function isUsedUp(text: string, bytes: number): boolean {
  try {
    const quota = parseSize(text)
    return quota > 0 && bytes >= quota
  } catch {
    // The server explains what is accepted.
    return false
  }
}
