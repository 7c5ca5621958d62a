import { Text } from '@mantine/core'
import { permissions } from '@reeve/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api, unwrap } from '../../api/client.ts'
import { getErrorMessage } from '../../api/error.ts'
import { useHasPermission, useWorkspace } from '../../api/me.ts'
import { useCreatorChoice } from '../../components/creator-choice.ts'
import { memberKeysQuery } from '../../components/creator-keys.ts'
import { CreatorKeysField } from '../../components/creator-keys-field.tsx'
import { memberWebhooksQuery } from '../../components/creator-webhooks.ts'
import { CreatorWebhooksField } from '../../components/creator-webhooks-field.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { formatPermission } from '../../components/permission-labels.ts'
import { notifySuccess } from '../../components/toast.tsx'
import { DialogForm } from '../../forms/dialog-form.tsx'
import { type Role, rolesQuery } from '../roles/queries.ts'
import { type Member, membersKey } from './people-data.ts'
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
  const assignedIds = member.roles.map(({ id }) => id)
  const roles = useQuery({ ...rolesQuery(workspaceId), enabled: useHasPermission('roles.view') })
  const [selectedIds, setSelectedIds] = useState<readonly string[]>(assignedIds)
  const revocation = useCreatorChoice(memberKeysQuery(workspaceId, member.accountId))
  const pausing = useCreatorChoice(memberWebhooksQuery(workspaceId, member.accountId))
  const losesPermission = hasLostPermission(roles.data, assignedIds, selectedIds)
  const isDemotion = losesPermission || hasLowerRank(roles.data, assignedIds, selectedIds)
  const [isBusy, setIsBusy] = useState(false)
  const [alert, setAlert] = useState('')
  const isUnchanged =
    selectedIds.length === assignedIds.length && selectedIds.every((id) => assignedIds.includes(id))

  const save = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy || isUnchanged) return
    setIsBusy(true)
    setAlert('')
    try {
      await unwrap(
        api.PATCH('/portal/api/members', {
          body: {
            workspaceId,
            accountId: member.accountId,
            roleIds: selectedIds.join(','),
            ...(isDemotion && { revokeKeyIds: revocation.chosenIds }),
            ...(losesPermission && { pauseWebhookIds: pausing.chosenIds }),
          },
        }),
      )
      await Promise.all([
        client.invalidateQueries({ queryKey: membersKey(workspaceId) }),
        client.invalidateQueries({ queryKey: [workspaceId, 'roles'] }),
      ])
      close()
      notifySuccess(`Changed the roles of ${member.username}.`)
    } catch (error) {
      setAlert(getErrorMessage(error))
      setIsBusy(false)
    }
  }
  return (
    <DialogForm
      submit={{ onSubmit: (event) => void save(event), isBusy, alert }}
      cancel={close}
      submitLabel="Change roles"
      isDisabled={isUnchanged || (isDemotion && !revocation.isReady) || (losesPermission && !pausing.isReady)}
    >
      <RoleChoice label="Roles" value={selectedIds} onChange={setSelectedIds} assignedIds={assignedIds} />
      <PermissionDiff
        roles={roles.data ?? []}
        before={assignedIds}
        after={selectedIds}
        name={member.username}
      />
      {isDemotion ? (
        <CreatorKeysField
          revocation={revocation}
          creator={<bdi>{member.username}</bdi>}
          note="They keep their permissions, but not a higher rank than their creator."
        />
      ) : null}
      {losesPermission ? (
        <CreatorWebhooksField pausing={pausing} creator={<bdi>{member.username}</bdi>} />
      ) : null}
    </DialogForm>
  )
}

const collectPermissions = (roles: readonly Role[], ids: readonly string[]) =>
  new Set(roles.filter(({ id }) => ids.includes(id)).flatMap((role) => [...role.permissions]))

const findRank = (roles: readonly Role[], ids: readonly string[]): number =>
  Math.max(0, ...roles.filter(({ id }) => ids.includes(id)).map(({ rank }) => rank))

/** Whether a member loses a permission. If the roles are unknown, taking one away counts. */
function hasLostPermission(
  roles: readonly Role[] | undefined,
  before: readonly string[],
  after: readonly string[],
): boolean {
  if (!roles) return before.some((id) => !after.includes(id))
  const kept = collectPermissions(roles, after)
  return [...collectPermissions(roles, before)].some((permission) => !kept.has(permission))
}

const hasLowerRank = (
  roles: readonly Role[] = [],
  before: readonly string[],
  after: readonly string[],
): boolean => findRank(roles, after) < findRank(roles, before)

interface PermissionDiffProps {
  readonly roles: readonly Role[]
  readonly before: readonly string[]
  readonly after: readonly string[]
  readonly name: string
}

/** The permissions that a member gains and loses. */
function PermissionDiff({ roles, before, after, name }: PermissionDiffProps) {
  const [permissionsBefore, permissionsAfter] = [
    collectPermissions(roles, before),
    collectPermissions(roles, after),
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
