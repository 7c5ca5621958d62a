import { Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { meQuery } from '../../../api/me.ts'
import { Dialog } from '../../../components/dialog.tsx'
import { notifySuccess } from '../../../components/toast.tsx'
import { formatDateTime } from '../../../format/time.ts'
import { DialogForm } from '../../../forms/dialog-form.tsx'
import { useSubmit } from '../../../forms/use-submit.ts'
import { ContentSummary } from './content-counts.tsx'
import { watchJob } from './watch-job.ts'
import classes from './workspace.module.css'
import { type ReadyArchive, startWorkspaceJob } from './workspace-data.ts'

interface Props {
  /** The archive to copy; null while the dialog is closed. */
  readonly archive: ReadyArchive | null
  readonly close: () => void
}

/** Creates a new workspace from an archive. */
export const CopyArchiveDialog = ({ archive, close }: Props) => (
  <Dialog opened={archive !== null} onClose={close} title="Create a new workspace">
    {archive ? <CopyArchiveForm archive={archive} close={close} /> : null}
  </Dialog>
)

const labels = { groupName: 'Group name' }

function CopyArchiveForm({ archive, close }: { readonly archive: ReadyArchive; readonly close: () => void }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const form = useForm({ mode: 'uncontrolled', initialValues: { groupName: archive.groupName } })
  const submit = useSubmit(form, labels, async (values) => {
    const job = await startWorkspaceJob({ action: 'restore', fromArchive: archive.id, ...values })
    watchJob(client, job, async ({ newWorkspaceId }) => {
      await client.fetchQuery({ ...meQuery, staleTime: 0 })
      const open = () => navigate({ to: '/w/$workspaceId', params: { workspaceId: newWorkspaceId ?? '' } })
      notifySuccess(`Created ${values.groupName.trim()}. You are the owner.`, { label: 'Open', run: open })
    })
    close()
  })
  return (
    <DialogForm submit={submit} submitLabel="Create workspace">
      <Text size="sm" component="div">
        From the archive of {formatDateTime(archive.createdAt)}: <ContentSummary counts={archive.counts} />
      </Text>
      <TextInput
        label={labels.groupName}
        name="groupName"
        autoComplete="off"
        data-autofocus
        key={form.key('groupName')}
        {...form.getInputProps('groupName')}
      />
      <Text size="sm" component="ul" className={classes.list}>
        <li>
          You will own the new workspace. All members are copied with their roles and get access immediately.
        </li>
        <li>Case numbers continue from the archive. Content redacted since then stays redacted.</li>
        <li>API keys are not copied: connect your game with new ones. This workspace does not change.</li>
      </Text>
    </DialogForm>
  )
}
