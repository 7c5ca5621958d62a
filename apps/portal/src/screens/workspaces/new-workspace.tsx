import { Button, Group, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconBuildingCommunity } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api, unwrap } from '../../api/client.ts'
import { meQuery, useMe, type WorkspaceCreationProblem } from '../../api/me.ts'
import { Card } from '../../components/card.tsx'
import { EmptyState } from '../../components/empty-error-loading.tsx'
import { Screen } from '../../components/screen.tsx'
import { FormAlert } from '../../forms/form-alert.tsx'
import { useSubmit } from '../../forms/use-submit.ts'

const labels = { groupName: 'Group name' }

const DESCRIPTION = 'A workspace contains the staff of one game community and all their moderation data.'

/** Creates a workspace owned by the user, or explains why they cannot create one. */
export function NewWorkspace() {
  const { workspaceCreationProblem: problem } = useMe()
  return (
    <Screen
      title="Create a workspace"
      description={problem ? DESCRIPTION : `${DESCRIPTION} You will be its owner.`}
      back={{ to: '/workspaces', label: 'Your workspaces' }}
    >
      {problem ? <CannotCreate problem={problem} /> : <NewWorkspaceForm />}
    </Screen>
  )
}

const CannotCreate = ({ problem }: { readonly problem: WorkspaceCreationProblem }) =>
  problem.kind === 'operators-only' ? (
    <EmptyState icon={IconBuildingCommunity} title="Only operators create workspaces here">
      Ask an operator of this instance to create one and to transfer it to you.
    </EmptyState>
  ) : (
    <EmptyState
      icon={IconBuildingCommunity}
      title={`The limit is ${problem.limit} ${problem.limit === 1 ? 'workspace' : 'workspaces'} per account`}
    >
      You have reached it; archived workspaces count as well. Transfer one to another member, or ask an
      operator of this instance to raise the limit.
    </EmptyState>
  )

function NewWorkspaceForm() {
  const client = useQueryClient()
  const navigate = useNavigate()
  const form = useForm({ mode: 'uncontrolled', initialValues: { groupName: '' } })
  const submit = useSubmit(form, labels, async (values) => {
    const { workspace } = await unwrap(api.POST('/api/workspaces', { body: values }))
    await client.fetchQuery({ ...meQuery, staleTime: 0 })
    await navigate({ to: '/w/$workspaceId', params: { workspaceId: workspace.id } })
  })
  return (
    <Card>
      <form onSubmit={submit.onSubmit} noValidate>
        <Stack gap="md" maw={400}>
          <TextInput
            label={labels.groupName}
            description="The name of your community. You can change it later."
            name="groupName"
            autoComplete="off"
            autoFocus
            key={form.key('groupName')}
            {...form.getInputProps('groupName')}
          />
          <FormAlert>{submit.alert}</FormAlert>
          <Group>
            <Button type="submit" loading={submit.isBusy}>
              Create workspace
            </Button>
          </Group>
        </Stack>
      </form>
    </Card>
  )
}
