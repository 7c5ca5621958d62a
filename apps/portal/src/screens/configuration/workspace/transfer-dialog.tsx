import { MultiSelect, Select, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, unwrap } from '../../../api/client.ts'
import { useMe, useWorkspace } from '../../../api/me.ts'
import { useCreatorChoice, useSendCreations } from '../../../components/creator-choice.ts'
import { memberKeysQuery } from '../../../components/creator-keys.ts'
import { CreatorKeysField } from '../../../components/creator-keys-field.tsx'
import { memberWebhooksQuery } from '../../../components/creator-webhooks.ts'
import { CreatorWebhooksField } from '../../../components/creator-webhooks-field.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { notifySuccess } from '../../../components/toast.tsx'
import { type MemberResult, useMemberSearch } from '../../../components/use-member-search.ts'
import { DialogForm } from '../../../forms/dialog-form.tsx'
import { useSubmit } from '../../../forms/use-submit.ts'
import classes from './workspace.module.css'
import { useRefreshWorkspace } from './workspace-data.ts'

interface Props {
  readonly isOpen: boolean
  readonly close: () => void
}

/** Transfers ownership of the workspace to another member. */
export const TransferDialog = ({ isOpen, close }: Props) => (
  <Dialog opened={isOpen} onClose={close} title="Transfer ownership">
    <TransferForm close={close} />
  </Dialog>
)

const labels = { accountId: 'New owner', roleIds: 'Roles you keep' }

/** The order of the parts of a field, as in all other fields. */
const inputOrder = ['label', 'input', 'description', 'error'] as (
  | 'label'
  | 'input'
  | 'description'
  | 'error'
)[]
type RoleOption = Readonly<Record<'id' | 'name' | 'isOwner', string>>

function TransferForm({ close }: Pick<Props, 'close'>) {
  const { id: workspaceId, groupName } = useWorkspace()
  const { id: ownId } = useMe()
  const refresh = useRefreshWorkspace(workspaceId)
  const revocation = useCreatorChoice(memberKeysQuery(workspaceId, ownId))
  const pausing = useCreatorChoice(memberWebhooksQuery(workspaceId, ownId))
  const sendCreations = useSendCreations({ revokeKeyIds: revocation, pauseWebhookIds: pausing })
  const [searchText, setSearchText] = useState('')
  const [selected, setSelected] = useState<Pick<MemberResult, 'accountId' | 'username'> | null>(null)
  const members = useMemberSearch(workspaceId, searchText === selected?.username ? '' : searchText)
  const roles = useQuery({
    queryKey: [workspaceId, 'roles', 'options'],
    queryFn: async () => {
      const response = await unwrap(api.GET('/portal/api/roles', { params: { query: { workspaceId } } }))
      return (response as { readonly roles: readonly RoleOption[] }).roles
    },
  })
  const form = useForm({
    mode: 'controlled',
    initialValues: { accountId: '', roleIds: [] as string[] },
  })
  const submit = useSubmit(form, labels, async ({ accountId, roleIds }) => {
    const { owner } = await sendCreations((creations) => {
      const body = { workspaceId, accountId, roleIds: roleIds.join(','), ...creations }
      return unwrap(api.POST('/portal/api/ownership', { body }))
    })
    close()
    notifySuccess(`${owner.username} now owns ${groupName}.`)
    await refresh()
  })
  const others = members.filter(({ accountId }) => accountId !== ownId)
  const isListed = others.some(({ accountId }) => accountId === selected?.accountId)
  const candidates = selected && !isListed ? [selected, ...others] : others
  return (
    <DialogForm
      submit={submit}
      submitLabel="Transfer ownership"
      color="red"
      isDisabled={!revocation.isReady || !pausing.isReady}
    >
      <Select
        label={labels.accountId}
        description="Any member whose account is not disabled"
        inputWrapperOrder={inputOrder}
        name="accountId"
        placeholder="Find a member"
        searchable
        nothingFoundMessage="No matching member"
        data={candidates.map((member) => ({ value: member.accountId, label: member.username }))}
        filter={({ options }) => options}
        onSearchChange={setSearchText}
        data-autofocus
        {...form.getInputProps('accountId')}
        onChange={(accountId) => {
          form.setFieldValue('accountId', accountId ?? '')
          setSelected(candidates.find((member) => member.accountId === accountId) ?? null)
        }}
      />
      <MultiSelect
        label={labels.roleIds}
        description="If empty, you stay a member without a role"
        inputWrapperOrder={inputOrder}
        name="roleIds"
        data={(roles.data ?? [])
          .filter(({ isOwner }) => isOwner === 'false')
          .map(({ id, name }) => ({ value: id, label: name }))}
        {...form.getInputProps('roleIds')}
      />
      <Text size="sm" component="ul" className={classes.list}>
        <li>
          {selected ? <bdi>{selected.username}</bdi> : 'The new owner'} gets all permissions in{' '}
          <bdi>{groupName}</bdi>, and you keep only the permissions of the roles above.
        </li>
        <li>You cannot undo this yourself: only the new owner can transfer it back.</li>
        <li>API keys and webhooks that others created do not change.</li>
      </Text>
      <CreatorKeysField
        revocation={revocation}
        creator="You"
        note="They get the rank of the roles you keep, so that others can manage them."
      />
      <CreatorWebhooksField pausing={pausing} creator="You" />
    </DialogForm>
  )
}
