import { Button, Stack, Text, Title } from '@mantine/core'
import { type Permission, permissions } from '@reeve/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, ifMatch, unwrap } from '../../api/client.ts'
import { getErrorMessage, isVersionMismatch } from '../../api/error.ts'
import { useWorkspace } from '../../api/me.ts'
import { useCreatorChoice } from '../../components/creator-choice.ts'
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
import { countMembers, type Role, type RoleCombination, rolesKey } from './queries.ts'
import classes from './review-dialog.module.css'
import {
  joinIdsOfRole,
  type RoleChanges,
  roleCreationsTexts,
  roleKeysQuery,
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

  const saveRole = async (role: Role, earlierIds: readonly string[]) => {
    try {
      await unwrap(
        api.PATCH('/portal/api/roles', {
          body: {
            workspaceId,
            id: role.id,
            permissions: JSON.stringify([...applyChange(role, draft.get(role.id))]),
            ...(reducedRoles.includes(role) && {
              revokeKeyIds: joinIdsOfRole(revocation.chosen, role.id, earlierIds),
              pauseWebhookIds: joinIdsOfRole(pausing.chosen, role.id, earlierIds),
            }),
          },
          headers: ifMatch(role.version),
        }),
      )
      discard(role.id)
      return null
    } catch (error) {
      const isStale = isVersionMismatch(error)
      const message = isStale
        ? 'someone else has changed it in the meantime. Review it, then save again.'
        : getErrorMessage(error)
      return `“${role.name}” was not saved: ${message}`
    }
  }
  const save = async () => {
    setIsBusy(true)
    setAlert('')
    const problems: string[] = []
    const reducedIds: string[] = []
    for (const role of changedRoles) {
      const problem = await saveRole(role, reducedIds)
      if (problem !== null) problems.push(problem)
      else if (reducedRoles.includes(role)) reducedIds.push(role.id)
    }
    await Promise.all([
      client.invalidateQueries({ queryKey: rolesKey(workspaceId) }),
      client.invalidateQueries({ queryKey: [workspaceId, 'api-keys'] }),
      client.invalidateQueries({ queryKey: [workspaceId, 'webhooks'] }),
    ])
    setIsBusy(false)
    setAlert(problems.join(' '))
    if (problems.length > 0) return
    close()
    notifySuccess(`Saved ${pluralize(changedRoles.length, 'role')}. The changes apply immediately.`)
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
          <CreatorKeysField revocation={revocation} {...roleCreationsTexts} />
          <CreatorWebhooksField pausing={pausing} creator={roleCreationsTexts.creator} />
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
