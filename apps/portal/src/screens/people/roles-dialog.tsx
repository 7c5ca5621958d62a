import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { permissions } from '@reeve/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api, take } from '../../api/client.ts'
import { sentenceOf } from '../../api/error.ts'
import { useMay, useWorkspace } from '../../api/me.ts'
import { FormAlert } from '../../components/form-alert.tsx'
import { permissionWords } from '../../components/permission-words.ts'
import { tellDone } from '../../components/tell.tsx'
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
  <Modal
    opened={member !== null}
    onClose={close}
    title={`Roles of ${member?.username ?? ''}`}
    closeButtonProps={{ 'aria-label': 'Close' }}
  >
    {member ? <Choice key={member.accountId} member={member} close={close} /> : null}
  </Modal>
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
    <form onSubmit={(event) => void save(event)}>
      <Stack gap="md">
        <RoleChoice label="Roles" value={chosen} onChange={setChosen} held={held} />
        <Difference roles={roles.data ?? []} before={held} after={chosen} name={member.username} />
        <FormAlert>{alert}</FormAlert>
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={isBusy} disabled={isSame}>
            Change the roles
          </Button>
        </Group>
      </Stack>
    </form>
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
