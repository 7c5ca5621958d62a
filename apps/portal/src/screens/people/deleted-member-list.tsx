import { Badge, Button, Group, Text } from '@mantine/core'
import { IconUserOff } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { api, unwrap } from '../../api/client.ts'
import { useWorkspace } from '../../api/me.ts'
import { usePages } from '../../api/pages.ts'
import { formatActorName } from '../../components/blanked-name.ts'
import { openConfirmDialog } from '../../components/confirm-dialog.tsx'
import { DataList } from '../../components/data-list.tsx'
import { EmptyState } from '../../components/empty-error-loading.tsx'
import { FormattedTime } from '../../components/formatted-time.tsx'
import { notifySuccess } from '../../components/toast.tsx'
import classes from './invitation-list.module.css'
import { type DeletedMember, deletedMembersKey, readDeletedMembers } from './people-data.ts'

/** The former members whose accounts were deleted. Only the owner can blank their names. */
export function DeletedMemberList() {
  const { id: workspaceId } = useWorkspace()
  const pages = usePages(deletedMembersKey(workspaceId), (cursor) =>
    readDeletedMembers({ workspaceId, ...cursor }),
  )
  return (
    <DataList
      pages={pages}
      label="Deleted accounts"
      rows={({ deletedMembers }) => deletedMembers}
      rowKey={({ accountId }) => accountId}
      empty={
        <EmptyState icon={IconUserOff} title="No deleted accounts">
          Former members whose accounts were deleted appear here. What they did stays in the history under
          their name, which the owner can remove.
        </EmptyState>
      }
    >
      {(member) => <DeletedMemberRow member={member} />}
    </DataList>
  )
}

const nameStates: Readonly<Record<string, string>> = { blanking: 'Removing name', blanked: 'Name removed' }

function DeletedMemberRow({ member }: { readonly member: DeletedMember }) {
  const client = useQueryClient()
  const { id: workspaceId, isOwner } = useWorkspace()
  const { accountId, username, leftAt, nameState } = member
  const name = formatActorName(username)
  const state = nameStates[nameState]
  const blank = () =>
    openConfirmDialog({
      title: `Remove the name ${name}?`,
      confirmLabel: 'Remove name',
      isDestructive: true,
      children: (
        <>
          The name of this deleted account is removed from cases, comments, earlier versions and the audit log
          of this workspace, within minutes. What the account did stays, and the audit log stays valid.
          Archives and backups that exist keep the name. You cannot undo this.
        </>
      ),
      run: async () => {
        await unwrap(api.POST('/portal/api/deleted-members/blank-name', { body: { workspaceId, accountId } }))
        await client.invalidateQueries({ queryKey: deletedMembersKey(workspaceId) })
        notifySuccess(`The name ${name} is being removed.`)
      },
    })
  return (
    <div className={classes.row}>
      <div className={classes.text}>
        <Group gap={6}>
          <Text component="bdi" fw={550} size="sm">
            {name}
          </Text>
          {state === undefined ? null : (
            <Badge size="sm" variant="light" color="gray">
              {state}
            </Badge>
          )}
        </Group>
        <Text size="sm" c="dimmed">
          Left <FormattedTime value={leftAt} format="date" />
        </Text>
      </div>
      {isOwner && nameState !== 'blanking' ? (
        <Button variant="default" size="sm" onClick={blank} aria-label={`Remove the name ${name}`}>
          {nameState === 'kept' ? 'Remove name…' : 'Remove again…'}
        </Button>
      ) : null}
    </div>
  )
}
