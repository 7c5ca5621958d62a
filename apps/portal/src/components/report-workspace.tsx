import { Text, Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import { api, unwrap } from '../api/client.ts'
import { DialogForm } from '../forms/dialog-form.tsx'
import { useSubmit } from '../forms/use-submit.ts'
import { openModal } from './modals.tsx'
import { notifySuccess } from './toast.tsx'

interface ReportedWorkspace {
  readonly id: string
  readonly groupName: string
}

const labels = { message: 'What is wrong' }

const MAX_MESSAGE_LENGTH = 1000

/** Opens the dialog that reports a workspace to the operators of the instance. */
export const openReportDialog = (workspace: ReportedWorkspace): void =>
  openModal({
    title: `Report ${workspace.groupName}`,
    render: (close) => <ReportForm workspace={workspace} close={close} />,
  })

function ReportForm({
  workspace: { id: workspaceId, groupName },
  close,
}: {
  readonly workspace: ReportedWorkspace
  readonly close: () => void
}) {
  const form = useForm({ mode: 'uncontrolled', initialValues: { message: '' } })
  const submit = useSubmit(form, labels, async ({ message }) => {
    await unwrap(api.POST('/portal/api/reports', { body: { workspaceId, message } }))
    close()
    notifySuccess(`Reported ${groupName}.`)
  })
  return (
    <DialogForm submit={submit} submitLabel="Send report">
      <Text size="sm">
        The operators of this instance see your report and your username. Nobody in <bdi>{groupName}</bdi> is
        notified.
      </Text>
      <Textarea
        label={labels.message}
        description="For example: it pretends to be another community, or invites people who do not know it."
        name="message"
        autosize
        minRows={3}
        maxRows={8}
        maxLength={MAX_MESSAGE_LENGTH}
        data-autofocus
        key={form.key('message')}
        {...form.getInputProps('message')}
      />
    </DialogForm>
  )
}
