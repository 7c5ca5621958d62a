import { Button, Stack, Text, Title } from '@mantine/core'
import { type Permission, permissions } from '@reeve/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, unwrap } from '../../api/client.ts'
import { ApiError, getErrorMessage, hasErrorCode, isVersionMismatch } from '../../api/error.ts'
import { useWorkspace } from '../../api/me.ts'
import { useCreatorChoice, useSendCreations } from '../../components/creator-choice.ts'
import { CreatorKeysField } from '../../components/creator-keys-field.tsx'
import { CreatorWebhooksField } from '../../components/creator-webhooks-field.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { useDialogLock } from '../../components/dialog-context.ts'
import { DialogFooter } from '../../components/dialog-footer.tsx'
import { formatPermission } from '../../components/permission-labels.ts'
import { RoleBadge } from '../../components/role-badge.tsx'
import { notifySuccess } from '../../components/toast.tsx'
import { pluralize } from '../../format/number.ts'
import { FormAlert } from '../../forms/form-alert.tsx'
import { formatImpact } from './format-impact.ts'
import { applyChange, type Draft, type DraftImpact, type RoleChange } from './permission-diff.ts'
import { countMembers, type Role, type RoleCombination, rolesKey, rolesQuery, storeRoles } from './queries.ts'
import classes from './review-dialog.module.css'
import {
  ROLE_WEBHOOKS_CREATOR,
  type RoleChanges,
  roleKeysQuery,
  roleKeysTexts,
  roleWebhooksQuery,
} from './role-creations.ts'
import type { DraftActions } from './use-draft.ts'

interface Props {
  readonly close: () => void
  readonly roles: readonly Role[]
  readonly roleCombinations: readonly RoleCombination[]
  readonly draft: Draft
  readonly impact: DraftImpact
  readonly discard: DraftActions['discard']
}

/** Lists what a draft grants and revokes, and saves it. */
export const ReviewDialog = ({ isOpen, ...props }: Props & { readonly isOpen: boolean }) => (
  <Dialog opened={isOpen} onClose={props.close} title="Save these changes?" size="lg">
    {isOpen ? <ReviewForm {...props} /> : null}
  </Dialog>
)

/**
 * Why the changes were not saved, and, unless it is unknown whether they were, that none was.
 * @param context.isSent whether the server may have received them
 * @param context.deleted a role of the draft that no longer exists
 */
function explainFailure(
  error: unknown,
  { isSent, deleted }: { readonly isSent: boolean; readonly deleted: Role | undefined },
): string {
  const reason =
    deleted !== undefined && hasErrorCode(error, 'not_found')
      ? `“${deleted.name}” was deleted by someone else in the meantime.`
      : getErrorMessage(error)
  const isRejected = error instanceof ApiError && !error.isRetryable
  // Then the reason says that nothing was saved.
  const isUnauthenticated =
    error instanceof ApiError && (error.isSessionExpired || error.reason === 'verification_required')
  if (isUnauthenticated || (isSent && !isRejected)) return reason
  const advice = isVersionMismatch(error) ? ' Review the changes, then save again.' : ''
  return `Nothing was saved. ${reason}${advice}`
}

function ReviewForm({ close, roles, roleCombinations, draft, impact, discard }: Props) {
  const client = useQueryClient()
  const { id: workspaceId } = useWorkspace()
  const [isBusy, setIsBusy] = useState(false)
  const [alert, setAlert] = useState('')
  useDialogLock(isBusy)
  const changedRoles = roles.filter(({ id }) => draft.has(id))
  // Nobody loses anything by what is only granted.
  const reducedRoles = changedRoles.filter(({ id }) => draft.get(id)?.revoked.size)
  const changes: RoleChanges = new Map(
    changedRoles.map((role) => [
      role.id,
      { rank: role.rank, permissions: applyChange(role, draft.get(role.id)) },
    ]),
  )
  const revocation = useCreatorChoice(roleKeysQuery(workspaceId, roles, changes))
  const pausing = useCreatorChoice(roleWebhooksQuery(workspaceId, roles, changes))
  const sendCreations = useSendCreations({ revokeKeyIds: revocation, pauseWebhookIds: pausing })

  const refresh = () =>
    Promise.all([
      client.invalidateQueries({ queryKey: rolesKey(workspaceId) }),
      client.invalidateQueries({ queryKey: [workspaceId, 'api-keys'] }),
      client.invalidateQueries({ queryKey: [workspaceId, 'webhooks'] }),
    ])
  const save = async () => {
    setIsBusy(true)
    setAlert('')
    const isSent = navigator.onLine
    try {
      const changed = changedRoles.map((role) => ({
        id: role.id,
        permissions: [...applyChange(role, draft.get(role.id))],
        version: role.version,
      }))
      const saved = await sendCreations((creations) => {
        const body = { workspaceId, roles: JSON.stringify(changed), ...creations }
        return unwrap(api.POST('/portal/api/roles/permissions', { body }))
      })
      await storeRoles(client, workspaceId, saved)
      void refresh()
      discard()
      close()
      notifySuccess(`Saved ${pluralize(changedRoles.length, 'role')}. The changes apply immediately.`)
    } catch (error) {
      await refresh()
      const latest = client.getQueryData(rolesQuery(workspaceId).queryKey) ?? roles
      const deleted = changedRoles.find(({ id }) => !latest.some((role) => role.id === id))
      setAlert(explainFailure(error, { isSent, deleted }))
    } finally {
      setIsBusy(false)
    }
  }

  return (
    <Stack gap="md">
      <Text size="sm">{formatImpact(impact)}</Text>
      {changedRoles.map((role) => (
        <RoleChangesSection
          key={role.id}
          role={role}
          change={draft.get(role.id)}
          people={countMembers(role.id, roleCombinations)}
        />
      ))}
      {reducedRoles.length > 0 ? (
        <>
          <CreatorKeysField revocation={revocation} {...roleKeysTexts} />
          <CreatorWebhooksField pausing={pausing} creator={ROLE_WEBHOOKS_CREATOR} />
        </>
      ) : null}
      <DialogFooter note={<FormAlert>{alert}</FormAlert>}>
        <Button variant="default" onClick={close} disabled={isBusy} data-autofocus>
          Keep editing
        </Button>
        <Button
          onClick={() => void save()}
          loading={isBusy}
          disabled={
            changedRoles.length === 0 || (reducedRoles.length > 0 && !(revocation.isReady && pausing.isReady))
          }
        >
          Save
        </Button>
      </DialogFooter>
    </Stack>
  )
}

interface RoleChangesProps {
  readonly role: Role
  readonly change: RoleChange | undefined
  readonly people: number
}

/** What a draft grants and revokes in one role. */
const RoleChangesSection = ({ role, change, people }: RoleChangesProps) => (
  <section aria-label={role.name}>
    <Title order={3} size="h4" className={classes.role}>
      <RoleBadge role={role} />
      <Text component="span" size="sm" c="dimmed">
        {people === 0 ? 'no members' : pluralize(people, 'member')}
      </Text>
    </Title>
    <ChangeList title="Grants" direction="granted" changed={change?.granted} />
    <ChangeList title="Revokes" direction="revoked" changed={change?.revoked} />
  </section>
)

interface ChangeListProps {
  readonly title: string
  readonly direction: keyof RoleChange
  readonly changed: ReadonlySet<Permission> | undefined
}

const ChangeList = ({ title, direction, changed }: ChangeListProps) =>
  changed === undefined || changed.size === 0 ? null : (
    <div className={classes.changes} data-direction={direction}>
      <Text size="sm" c="dimmed">
        {title}
      </Text>
      <ul>
        {permissions
          .filter((permission) => changed.has(permission))
          .map((permission) => (
            <li key={permission}>{formatPermission(permission)}</li>
          ))}
      </ul>
    </div>
  )
