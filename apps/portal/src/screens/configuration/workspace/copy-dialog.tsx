import { Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { meQuery } from '../../../api/me.ts'
import { Dialog } from '../../../components/dialog.tsx'
import { tellDone } from '../../../components/tell.tsx'
import { dateTime } from '../../../format/time.ts'
import { DialogForm } from '../../../forms/dialog-form.tsx'
import { useSubmit } from '../../../forms/use-submit.ts'
import { type Archive, actOn } from './data.ts'
import { HoldingLine } from './holding.tsx'
import classes from './workspace.module.css'

interface Props {
  /** Null while nobody asks. */
  readonly archive: Archive | null
  readonly close: () => void
}

/** Makes a new workspace of an archive. */
export const CopyDialog = ({ archive, close }: Props) => (
  <Dialog opened={archive !== null} onClose={close} title="Make a new workspace">
    {archive ? <CopyForm archive={archive} close={close} /> : null}
  </Dialog>
)

const labels = { groupName: 'Group name' }

function CopyForm({ archive, close }: { readonly archive: Archive; readonly close: () => void }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const form = useForm({ mode: 'uncontrolled', initialValues: { groupName: archive.groupName } })
  const submit = useSubmit(form, labels, async (values) => {
    const { id, groupName } = await actOn({ action: 'restore', fromArchive: archive.id, ...values })
    await client.fetchQuery({ ...meQuery, staleTime: 0 })
    close()
    tellDone(`${groupName} is made. You own it.`)
    await navigate({ to: '/w/$workspaceId', params: { workspaceId: id } })
  })
  return (
    <DialogForm submit={submit} cancel={close} action="Make the workspace">
      <Text size="sm" component="div">
        From the archive of {dateTime(archive.createdAt)}: <HoldingLine counts={archive.counts} />
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
        <li>You own the new workspace. Its members come along with their roles, and can see it at once.</li>
        <li>Case numbers go on from there; what was redacted since stays blank.</li>
        <li>No API key comes along: connect your game anew. This workspace stays as it is.</li>
      </Text>
    </DialogForm>
  )
}
