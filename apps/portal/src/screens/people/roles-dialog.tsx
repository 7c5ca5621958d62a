import { Text } from '@mantine/core'
import { permissions } from '@reeve/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api, take } from '../../api/client.ts'
import { sentenceOf } from '../../api/error.ts'
import { useMay, useWorkspace } from '../../api/me.ts'
import { Dialog } from '../../components/dialog.tsx'
import { permissionWords } from '../../components/permission-words.ts'
import { tellDone } from '../../components/tell.tsx'
import { DialogForm } from '../../forms/dialog-form.tsx'
import { type Role, rolesQuery } from '../roles/role-data.ts'
import { type Member, membersKey } from './people-data.ts'
import { RoleChoice } from './role-choice.tsx'

interface Props {
  /** Whose roles are changed; null while the dialog is shut. */
  readonly member: Member | null
  readonly close: () => void
}

/** Gives a member roles, and takes them. */
export const RolesDialog = ({ member, close }: Props) => (
  <Dialog opened={member !== null} onClose={close} title={`Roles of ${member?.username ?? ''}`}>
    {member ? <Choice key={member.accountId} member={member} close={close} /> : null}
  </Dialog>
)

function Choice({ member, close }: { readonly member: Member; readonly close: () => void }) {
  const client = useQueryClient()
  const { id: workspaceId } = useWorkspace()
  const held = member.roles.map(({ id }) => id)
  const roles = useQuery({ ...rolesQuery(workspaceId), enabled: useMay('roles.view') })
  const [chosen, setChosen] = useState<readonly string[]>(held)
  const [isBusy, setIsBusy] = useState(false)
  const [alert, setAlert] = useState('')
  const isSame = chosen.length === held.length && chosen.every((id) => held.includes(id))

  const save = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy || isSame) return
    setIsBusy(true)
    setAlert('')
    try {
      await take(
        api.PATCH('/portal/api/members', {
          body: { workspaceId, accountId: member.accountId, roleIds: chosen.join(',') },
        }),
      )
      await Promise.all([
        client.invalidateQueries({ queryKey: membersKey(workspaceId) }),
        client.invalidateQueries({ queryKey: [workspaceId, 'roles'] }),
      ])
      close()
      tellDone(`Changed the roles of ${member.username}.`)
    } catch (error) {
      setAlert(sentenceOf(error))
      setIsBusy(false)
    }
  }
  return (
    <DialogForm
      submit={{ onSubmit: (event) => void save(event), isBusy, alert }}
      cancel={close}
      action="Change the roles"
      isDisabled={isSame}
    >
      <RoleChoice label="Roles" value={chosen} onChange={setChosen} held={held} />
      <Difference roles={roles.data ?? []} before={held} after={chosen} name={member.username} />
    </DialogForm>
  )
}

interface DifferenceProps {
  readonly roles: readonly Role[]
  readonly before: readonly string[]
  readonly after: readonly string[]
  readonly name: string
}

/** What somebody may do that they could not before, and the other way round. */
function Difference({ roles, before, after, name }: DifferenceProps) {
  const allOf = (ids: readonly string[]) =>
    new Set(roles.filter(({ id }) => ids.includes(id)).flatMap((role) => [...role.permissions]))
  const [had, has] = [allOf(before), allOf(after)]
  const gained = permissions.filter((one) => has.has(one) && !had.has(one))
  const lost = permissions.filter((one) => had.has(one) && !has.has(one))
  const words = (list: typeof gained) => list.map(permissionWords).join(' · ')
  return (
    <div role="status">
      {gained.length > 0 ? (
        <Text size="sm">
          <b>
            <bdi>{name}</bdi> will be able to:
          </b>{' '}
          {words(gained)}
        </Text>
      ) : null}
      {lost.length > 0 ? (
        <Text size="sm" mt={gained.length > 0 ? 'xs' : 0}>
          <b>
            <bdi>{name}</bdi> will no longer be able to:
          </b>{' '}
          {words(lost)}
        </Text>
      ) : null}
      {gained.length + lost.length === 0 &&
      after.length + before.length > 0 &&
      after.join() !== before.join() ? (
        <Text size="sm">
          What <bdi>{name}</bdi> may do stays the same.
        </Text>
      ) : null}
    </div>
  )
}
