import { Button, Tabs } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconUserPlus } from '@tabler/icons-react'
import { useMay, useWorkspace } from '../../api/me.ts'
import { NotForYou } from '../../components/not-for-you.tsx'
import { useMayChange } from '../../components/permission-gate.tsx'
import { Screen } from '../../components/screen.tsx'
import { oneOf, useFilters } from '../../components/use-filters.ts'
import { InvitationList } from './invitation-list.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { useLeaving } from './leaving.tsx'
import { MemberList } from './member-list.tsx'

const readers = { tab: oneOf('invitations') }

/** Who belongs to a workspace, and who is invited to. */
export function People() {
  const maySee = useMay('members.view')
  return maySee ? <KnownPeople /> : <HiddenPeople />
}

/** Whoever may not see who is here may leave all the same. */
function HiddenPeople() {
  const { groupName, isOwner } = useWorkspace()
  const { askToLeave } = useLeaving()
  return (
    <Screen title="People">
      <NotForYou permission="members.view">
        {isOwner ? null : (
          <Button variant="default" onClick={askToLeave}>
            {`Leave ${groupName}`}
          </Button>
        )}
      </NotForYou>
    </Screen>
  )
}

function KnownPeople() {
  const mayManage = useMay('members.manage')
  const mayInvite = useMayChange('members.manage')
  const [filters, setFilters] = useFilters(readers)
  const [isInviting, inviting] = useDisclosure(false)
  return (
    <Screen
      title="People"
      description="Everybody on the staff of this workspace, and the roles that say what each may do."
      actions={
        mayInvite ? (
          <Button leftSection={<IconUserPlus size={16} aria-hidden />} onClick={inviting.open}>
            Invite
          </Button>
        ) : null
      }
    >
      {mayManage ? (
        <Tabs
          value={filters.tab ?? 'members'}
          onChange={(tab) => setFilters({ tab: tab === 'invitations' ? tab : undefined })}
          keepMounted={false}
        >
          <Tabs.List mb="md">
            <Tabs.Tab value="members">Members</Tabs.Tab>
            <Tabs.Tab value="invitations">Invitations</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="members">
            <MemberList />
          </Tabs.Panel>
          <Tabs.Panel value="invitations">
            <InvitationList invite={inviting.open} />
          </Tabs.Panel>
        </Tabs>
      ) : (
        <MemberList />
      )}
      <InviteDialog
        isOpen={isInviting}
        close={inviting.close}
        made={() => setFilters({ tab: 'invitations' })}
      />
    </Screen>
  )
}
