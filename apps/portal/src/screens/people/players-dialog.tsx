import { Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, unwrap } from '../../api/client.ts'
import { useWorkspace } from '../../api/me.ts'
import { Dialog } from '../../components/dialog.tsx'
import { ErrorState, LoadingRows } from '../../components/empty-error-loading.tsx'
import { notifySuccess } from '../../components/toast.tsx'
import { DialogForm } from '../../forms/dialog-form.tsx'
import { EditConflict } from '../../forms/edit-conflict.tsx'
import { plainTextProps } from '../../forms/text-fields.tsx'
import { useEditConflict } from '../../forms/use-edit-conflict.ts'
import { useSubmit } from '../../forms/use-submit.ts'
import { useVersionedSave } from '../../forms/use-versioned-save.ts'
import { type Member, membersKey } from './people-data.ts'

const playersQuery = (workspaceId: string, accountId: string) =>
  queryOptions({
    queryKey: [...membersKey(workspaceId), 'players', accountId],
    queryFn: () => readPlayers(workspaceId, accountId),
  })

async function readPlayers(workspaceId: string, accountId: string): Promise<readonly string[]> {
  const params = { query: { workspaceId, accountId } }
  return (await unwrap(api.GET('/portal/api/members/players', { params }))).userIds
}

interface Props {
  /** The member whose players are edited; null while the dialog is closed. */
  readonly member: Member | null
  readonly close: () => void
}

/** Links a member to players, who are then protected by the member's rank. */
export const PlayersDialog = ({ member, close }: Props) => (
  <Dialog opened={member !== null} onClose={close} title={`Players of ${member?.username ?? ''}`}>
    {member ? <PlayersLoader key={member.accountId} member={member} close={close} /> : null}
  </Dialog>
)

type FormProps = { readonly member: Member; readonly close: () => void }

function PlayersLoader({ member, close }: FormProps) {
  const { id: workspaceId } = useWorkspace()
  const { data, error, refetch } = useQuery(playersQuery(workspaceId, member.accountId))
  if (data) return <PlayersForm member={member} userIds={data} close={close} />
  return error ? <ErrorState error={error} retry={() => void refetch()} /> : <LoadingRows rows={2} />
}

const labels = { userIds: 'Player IDs' }

const toValues = (userIds: readonly string[]) => ({ userIds: userIds.join(', ') })

function PlayersForm({ member, userIds, close }: FormProps & { readonly userIds: readonly string[] }) {
  const client = useQueryClient()
  const { id: workspaceId } = useWorkspace()
  const { accountId, username, robloxUserId } = member
  const form = useForm({ mode: 'uncontrolled', initialValues: toValues(userIds) })
  const conflict = useEditConflict(form, labels)
  const save = useVersionedSave({
    opened: userIds,
    readLatest: () => readPlayers(workspaceId, accountId),
    report: (before, theirs) => conflict.report('list of players', toValues(before), toValues(theirs)),
  })
  const submit = useSubmit(form, labels, async (values) => {
    await save((edited) =>
      unwrap(
        api.PATCH('/portal/api/members/players', {
          body: { workspaceId, accountId, userIds: values.userIds, expectedUserIds: edited.join(',') },
        }),
      ),
    )
    await client.invalidateQueries({ queryKey: membersKey(workspaceId) })
    close()
    notifySuccess(`Saved the players of ${username}.`)
  })
  return (
    <DialogForm submit={submit} submitLabel="Save players">
      <TextInput
        {...plainTextProps}
        label={labels.userIds}
        description="The IDs of this person on the game platform, separated by commas. Only people who outrank them can sanction these players."
        name="userIds"
        autoComplete="off"
        data-autofocus
        key={form.key('userIds')}
        {...form.getInputProps('userIds')}
      />
      {robloxUserId === null ? null : (
        <Text size="sm" c="dimmed">
          The Roblox account {robloxUserId} that <bdi>{username}</bdi> signs in with is protected in any case.
        </Text>
      )}
      <EditConflict {...conflict} />
    </DialogForm>
  )
}
