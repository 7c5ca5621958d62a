import { Button, Group, Tabs } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconUserPlus } from '@tabler/icons-react'
import { useHasPermission, useWorkspace } from '../../api/me.ts'
import type { ReadScreen } from '../../app/early-data.ts'
import { oneOf, parseFilters } from '../../app/filter-parsers.ts'
import { WriteGuard } from '../../components/endpoint-state.tsx'
import { Forbidden } from '../../components/forbidden.tsx'
import { loadOnOpen } from '../../components/load-on-open.tsx'
import { openReportDialog } from '../../components/report-workspace.tsx'
import { Screen } from '../../components/screen.tsx'
import { useFilters } from '../../components/use-filters.ts'
import { useOpenFromUrl } from '../../components/use-open-from-url.ts'
import { DeletedMemberList } from './deleted-member-list.tsx'
import { InvitationList } from './invitation-list.tsx'
import { memberFilterParsers, membersQuery } from './member-filters.ts'
import { MemberList } from './member-list.tsx'
import { memberPagesQuery } from './people-data.ts'
import { useEndMembership } from './use-end-membership.ts'

const InviteDialog = loadOnOpen(
  async () => (await import('./invite-dialog.tsx')).InviteDialog,
  ({ isOpen }) => isOpen,
  ({ close }) => close(),
)

const filterParsers = { tab: oneOf('invitations', 'deleted') }

/** Reads what the screen shows first. */
export const earlyReads: { readonly People: ReadScreen } = {
  People: ({ client, params: { workspaceId }, search }) => [
    client.prefetchInfiniteQuery(
      memberPagesQuery(membersQuery(workspaceId, parseFilters(memberFilterParsers, search))),
    ),
  ],
}

/** The members and invitations of a workspace. */
export function People() {
  const canView = useHasPermission('members.view')
  return canView ? <PeopleContent /> : <PeopleForbidden />
}

/** Members can leave even without permission to see the other members. */
function PeopleForbidden() {
  const workspace = useWorkspace()
  const { groupName, isOwner } = workspace
  const { confirmLeave } = useEndMembership()
  return (
    <Screen title="People">
      <Forbidden permission="members.view">
        {isOwner ? null : (
          <Group gap="sm" justify="center">
            <Button variant="default" onClick={confirmLeave}>
              {`Leave ${groupName}`}
            </Button>
            <Button variant="subtle" color="gray" onClick={() => openReportDialog(workspace)}>
              Report…
            </Button>
          </Group>
        )}
      </Forbidden>
    </Screen>
  )
}

function PeopleContent() {
  const canManage = useHasPermission('members.manage')
  const [filters, setFilters] = useFilters(filterParsers)
  const [isInviteOpen, inviteDialog] = useDisclosure(false)
  useOpenFromUrl(null, { invite: canManage ? inviteDialog.open : null })
  return (
    <Screen
      title="People"
      description="The staff of this workspace and their roles."
      actions={
        canManage ? (
          <WriteGuard endpoint={null}>
            <Button leftSection={<IconUserPlus size={16} aria-hidden />} onClick={inviteDialog.open}>
              Invite
            </Button>
          </WriteGuard>
        ) : null
      }
    >
      {canManage ? (
        <Tabs
          value={filters.tab ?? 'members'}
          onChange={(tab) =>
            setFilters({ tab: tab === 'invitations' || tab === 'deleted' ? tab : undefined })
          }
          keepMounted={false}
        >
          <Tabs.List mb="md">
            <Tabs.Tab value="members">Members</Tabs.Tab>
            <Tabs.Tab value="invitations">Invitations</Tabs.Tab>
            <Tabs.Tab value="deleted">Deleted accounts</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="members">
            <MemberList />
          </Tabs.Panel>
          <Tabs.Panel value="invitations">
            <InvitationList invite={inviteDialog.open} />
          </Tabs.Panel>
          <Tabs.Panel value="deleted">
            <DeletedMemberList />
          </Tabs.Panel>
        </Tabs>
      ) : (
        <MemberList />
      )}
      <InviteDialog
        isOpen={isInviteOpen}
        close={inviteDialog.close}
        onCreated={() => setFilters({ tab: 'invitations' })}
      />
    </Screen>
  )
}
