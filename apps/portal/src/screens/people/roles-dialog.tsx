import { Text } from '@mantine/core'
import { hasSameIds, permissions } from '@reeve/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api, unwrap } from '../../api/client.ts'
import { ApiError, getErrorMessage, isVersionMismatch } from '../../api/error.ts'
import { useHasPermission, useWorkspace } from '../../api/me.ts'
import { useCreatorChoice, useSendCreations } from '../../components/creator-choice.ts'
import { memberKeysQuery } from '../../components/creator-keys.ts'
import { CreatorKeysField } from '../../components/creator-keys-field.tsx'
import { memberWebhooksQuery } from '../../components/creator-webhooks.ts'
import { CreatorWebhooksField } from '../../components/creator-webhooks-field.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { formatPermission } from '../../components/permission-labels.ts'
import { notifySuccess } from '../../components/toast.tsx'
import { DialogForm } from '../../forms/dialog-form.tsx'
import { collectPermissions, losesPermission, losesPermissionOrRank } from '../roles/lost-access.ts'
import { type Role, rolesQuery } from '../roles/queries.ts'
import { type Member, membersKey, readMember } from './people-data.ts'
import { RoleChoice } from './role-choice.tsx'

interface Props {
  /** The member whose roles are edited; null while the dialog is closed. */
  readonly member: Member | null
  readonly close: () => void
}

/** Changes the roles of a member. */
export const RolesDialog = ({ member, close }: Props) => (
  <Dialog opened={member !== null} onClose={close} title={`Roles of ${member?.username ?? ''}`}>
    {member ? <RolesForm key={member.accountId} member={member} close={close} /> : null}
  </Dialog>
)

function RolesForm({ member, close }: { readonly member: Member; readonly close: () => void }) {
  const client = useQueryClient()
  const { id: workspaceId } = useWorkspace()
  /** The roles that the user has seen and is editing. */
  const [assignedIds, setAssignedIds] = useState<readonly string[]>(listRoleIds(member))
  const roles = useQuery({ ...rolesQuery(workspaceId), enabled: useHasPermission('roles.view') })
  const [selectedIds, setSelectedIds] = useState<readonly string[]>(assignedIds)
  const revocation = useCreatorChoice(memberKeysQuery(workspaceId, member.accountId))
  const pausing = useCreatorChoice(memberWebhooksQuery(workspaceId, member.accountId))
  // If the roles are unknown, taking one away counts.
  const isRoleRemoved = assignedIds.some((id) => !selectedIds.includes(id))
  const [before, after] = [selectRoles(roles.data, assignedIds), selectRoles(roles.data, selectedIds)]
  const asksForKeys = roles.data ? losesPermissionOrRank(before, after) : isRoleRemoved
  const asksForWebhooks = roles.data ? losesPermission(before, after) : isRoleRemoved
  const sendCreations = useSendCreations({
    revokeKeyIds: asksForKeys ? revocation : null,
    pauseWebhookIds: asksForWebhooks ? pausing : null,
  })
  const [isBusy, setIsBusy] = useState(false)
  const [alert, setAlert] = useState('')
  const isUnchanged = hasSameIds(selectedIds, assignedIds)

  /** Adds what someone else has changed to the selection. @returns the error to show */
  const mergeLatest = async (): Promise<ApiError> => {
    const latestIds = listRoleIds(await readMember(workspaceId, member.accountId))
    const merged = mergeIds(assignedIds, selectedIds, latestIds)
    setAssignedIds(latestIds)
    setSelectedIds(merged)
    const outcome = hasSameIds(merged, latestIds)
      ? 'They are what you have selected.'
      : 'The selection now combines their changes and yours. Review it and save again.'
    const message = `Someone else changed the roles of ${member.username} while you were editing. ${outcome}`
    return new ApiError(412, 'version_mismatch', message)
  }

  const save = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy || isUnchanged) return
    setIsBusy(true)
    setAlert('')
    try {
      const roleIds = { roleIds: selectedIds.join(','), expectedRoleIds: assignedIds.join(',') }
      await sendCreations((creations) => {
        const body = { workspaceId, accountId: member.accountId, ...roleIds, ...creations }
        return unwrap(api.PATCH('/portal/api/members', { body }))
      })
      await Promise.all([
        client.invalidateQueries({ queryKey: membersKey(workspaceId) }),
        client.invalidateQueries({ queryKey: [workspaceId, 'roles'] }),
      ])
      close()
      notifySuccess(`Changed the roles of ${member.username}.`)
    } catch (error) {
      const reported = isVersionMismatch(error) ? await mergeLatest().catch((failure) => failure) : error
      setAlert(getErrorMessage(reported))
      setIsBusy(false)
    }
  }
  return (
    <DialogForm
      submit={{ onSubmit: (event) => void save(event), isBusy, alert }}
      submitLabel="Change roles"
      isDisabled={
        isUnchanged || (asksForKeys && !revocation.isReady) || (asksForWebhooks && !pausing.isReady)
      }
    >
      <RoleChoice label="Roles" value={selectedIds} onChange={setSelectedIds} assignedIds={assignedIds} />
      <PermissionDiff
        roles={roles.data ?? []}
        before={assignedIds}
        after={selectedIds}
        name={member.username}
      />
      {asksForKeys ? (
        <CreatorKeysField
          revocation={revocation}
          creator={<bdi>{member.username}</bdi>}
          note="They keep their permissions, but not a higher rank than their creator."
        />
      ) : null}
      {asksForWebhooks ? (
        <CreatorWebhooksField pausing={pausing} creator={<bdi>{member.username}</bdi>} />
      ) : null}
    </DialogForm>
  )
}

const listRoleIds = ({ roles }: Member): readonly string[] => roles.map(({ id }) => id)

/** Three-way merge: what either side added is in, what either side removed is out. */
const mergeIds = (base: readonly string[], mine: readonly string[], theirs: readonly string[]) => [
  ...theirs.filter((id) => mine.includes(id) || !base.includes(id)),
  ...mine.filter((id) => !base.includes(id) && !theirs.includes(id)),
]

const selectRoles = (roles: readonly Role[] = [], ids: readonly string[]) =>
  roles.filter(({ id }) => ids.includes(id))

interface PermissionDiffProps {
  readonly roles: readonly Role[]
  readonly before: readonly string[]
  readonly after: readonly string[]
  readonly name: string
}

/** The permissions that a member gains and loses. */
function PermissionDiff({ roles, before, after, name }: PermissionDiffProps) {
  const [permissionsBefore, permissionsAfter] = [
    collectPermissions(selectRoles(roles, before)),
    collectPermissions(selectRoles(roles, after)),
  ]
  const gained = permissions.filter(
    (permission) => permissionsAfter.has(permission) && !permissionsBefore.has(permission),
  )
  const lost = permissions.filter(
    (permission) => permissionsBefore.has(permission) && !permissionsAfter.has(permission),
  )
  const formatPermissions = (list: typeof gained) => list.map(formatPermission).join(' · ')
  return (
    <div role="status">
      {gained.length > 0 ? (
        <Text size="sm">
          <b>
            <bdi>{name}</bdi> will be able to:
          </b>{' '}
          {formatPermissions(gained)}
        </Text>
      ) : null}
      {lost.length > 0 ? (
        <Text size="sm" mt={gained.length > 0 ? 'xs' : 0}>
          <b>
            <bdi>{name}</bdi> will no longer be able to:
          </b>{' '}
          {formatPermissions(lost)}
        </Text>
      ) : null}
      {gained.length + lost.length === 0 &&
      after.length + before.length > 0 &&
      after.join() !== before.join() ? (
        <Text size="sm">
          The permissions of <bdi>{name}</bdi> do not change.
        </Text>
      ) : null}
    </div>
  )
}
