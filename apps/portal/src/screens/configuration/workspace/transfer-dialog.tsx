import { MultiSelect, Select, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, take } from '../../../api/client.ts'
import { useMe, useWorkspace } from '../../../api/me.ts'
import { Dialog } from '../../../components/dialog.tsx'
import { tellDone } from '../../../components/tell.tsx'
import { type FoundMember, useMemberSearch } from '../../../components/use-member-search.ts'
import { DialogForm } from '../../../forms/dialog-form.tsx'
import { PasswordField } from '../../../forms/password-field.tsx'
import { useSubmit } from '../../../forms/use-submit.ts'
import { useAfterAction } from './data.ts'
import classes from './workspace.module.css'

interface Props {
  readonly isOpen: boolean
  readonly close: () => void
}

/** Hands the workspace over to another member. */
export const TransferDialog = ({ isOpen, close }: Props) => (
  <Dialog opened={isOpen} onClose={close} title="Transfer the ownership">
    <TransferForm close={close} />
  </Dialog>
)

const labels = { accountId: 'New owner', roleIds: 'Roles you keep', password: 'Your password' }

/** As every other field has it. */
const inputOrder = ['label', 'input', 'description', 'error'] as (
  | 'label'
  | 'input'
  | 'description'
  | 'error'
)[]
type RoleRow = Readonly<Record<'id' | 'name' | 'isOwner', string>>

function TransferForm({ close }: Pick<Props, 'close'>) {
  const { id: workspaceId, groupName } = useWorkspace()
  const { id: ownId, username } = useMe()
  const after = useAfterAction(workspaceId)
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState<Pick<FoundMember, 'accountId' | 'username'> | null>(null)
  const members = useMemberSearch(workspaceId, typed === chosen?.username ? '' : typed)
  const roles = useQuery({
    queryKey: [workspaceId, 'roles', 'to-keep'],
    queryFn: async () => {
      const answer = await take(api.GET('/portal/api/roles', { params: { query: { workspaceId } } }))
      return (answer as { readonly roles: readonly RoleRow[] }).roles
    },
  })
  const form = useForm({
    mode: 'controlled',
    initialValues: { accountId: '', roleIds: [] as string[], password: '' },
  })
  const submit = useSubmit(form, labels, async ({ accountId, roleIds, password }) => {
    const body = { workspaceId, accountId, password, roleIds: roleIds.join(',') }
    const { owner } = await take(api.POST('/portal/api/ownership', { body }))
    close()
    tellDone(`${owner.username} owns ${groupName} now.`)
    await after()
  })
  const others = members.filter(({ accountId }) => accountId !== ownId)
  const isListed = others.some(({ accountId }) => accountId === chosen?.accountId)
  const people = chosen && !isListed ? [chosen, ...others] : others
  return (
    <DialogForm submit={submit} cancel={close} action="Transfer the ownership" color="red">
      <Select
        label={labels.accountId}
        description="Any member whose account can sign in"
        inputWrapperOrder={inputOrder}
        name="accountId"
        placeholder="Find a member"
        searchable
        nothingFoundMessage="No other member is called that"
        data={people.map((one) => ({ value: one.accountId, label: one.username }))}
        filter={({ options }) => options}
        onSearchChange={setTyped}
        data-autofocus
        {...form.getInputProps('accountId')}
        onChange={(accountId) => {
          form.setFieldValue('accountId', accountId ?? '')
          setChosen(people.find((one) => one.accountId === accountId) ?? null)
        }}
      />
      <MultiSelect
        label={labels.roleIds}
        description="None: you stay a member without a role"
        inputWrapperOrder={inputOrder}
        name="roleIds"
        data={(roles.data ?? [])
          .filter(({ isOwner }) => isOwner === 'false')
          .map(({ id, name }) => ({ value: id, label: name }))}
        {...form.getInputProps('roleIds')}
      />
      <Text size="sm" component="ul" className={classes.list}>
        <li>
          {chosen ? <bdi>{chosen.username}</bdi> : 'The new owner'} may then do everything in{' '}
          <bdi>{groupName}</bdi>, and you only what the roles you keep allow.
        </li>
        <li>You cannot take it back yourself: only the new owner could give it to you again.</li>
        <li>API keys stay as they are, also those you have copies of.</li>
      </Text>
      <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
      <PasswordField
        label={labels.password}
        description="So that nobody else does this at your desk"
        name="password"
        autoComplete="current-password"
        {...form.getInputProps('password')}
      />
    </DialogForm>
  )
}
