import { Button, Group, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useHasPermission, useWorkspace } from '../../../api/me.ts'
import { Card } from '../../../components/card.tsx'
import { CopyTextButton } from '../../../components/copy-field.tsx'
import { ErrorState } from '../../../components/empty-error-loading.tsx'
import { ReadGate, WriteGuard } from '../../../components/endpoint-state.tsx'
import { FormattedTime } from '../../../components/formatted-time.tsx'
import { notifySuccess } from '../../../components/toast.tsx'
import { pluralize } from '../../../format/number.ts'
import { FormAlert } from '../../../forms/form-alert.tsx'
import { useSubmit } from '../../../forms/use-submit.ts'
import classes from './workspace.module.css'
import {
  runWorkspaceAction,
  useRefreshWorkspace,
  type WorkspaceRecord,
  workspaceQuery,
} from './workspace-data.ts'

/** The name, id, creation date and quota of a workspace. */
export const DetailsCard = () => (
  <ReadGate endpoint="workspaces">
    <LoadedDetailsCard />
  </ReadGate>
)

function LoadedDetailsCard() {
  const { id } = useWorkspace()
  const { data, error, refetch } = useQuery(workspaceQuery(id))
  if (!data && error) {
    return (
      <Card title="Name">
        <ErrorState error={error} retry={() => void refetch()} />
      </Card>
    )
  }
  return <Card title="Name">{data ? <Details workspace={data} /> : <Skeleton h={150} aria-busy />}</Card>
}

function Details({ workspace }: { readonly workspace: WorkspaceRecord }) {
  const { id, groupName, createdAt, monthlyQuota } = workspace
  const canRename = useHasPermission('workspace.rename')
  const canViewUsage = useHasPermission('usage.view')
  return (
    <Stack gap="md">
      {canRename ? (
        <NameForm workspace={workspace} />
      ) : (
        <Text fw={550}>
          <bdi>{groupName}</bdi>
        </Text>
      )}
      <dl className={classes.facts}>
        <dt>ID</dt>
        <dd className={classes.copyableId}>
          <code>{id}</code>
          <CopyTextButton value={id} label="Workspace ID" />
        </dd>
        <dt>Created</dt>
        <dd>
          <FormattedTime value={createdAt} format="date" />
        </dd>
        {canViewUsage ? (
          <>
            <dt>Quota</dt>
            <dd>{monthlyQuota === null ? 'None' : `${pluralize(monthlyQuota, 'request')} per month`}</dd>
          </>
        ) : null}
      </dl>
    </Stack>
  )
}

const labels = { groupName: 'Group name' }

function NameForm({ workspace: { id, groupName, version } }: { readonly workspace: WorkspaceRecord }) {
  const refresh = useRefreshWorkspace(id)
  const form = useForm({ mode: 'uncontrolled', initialValues: { groupName } })
  const submit = useSubmit(form, labels, async (values) => {
    try {
      const renamed = await runWorkspaceAction({ action: 'rename', id, ...values }, version)
      form.setInitialValues({ groupName: renamed.groupName })
      form.reset()
      notifySuccess(`Renamed the workspace to ${renamed.groupName}.`)
    } finally {
      // After a conflict, the next attempt starts from the current version.
      await refresh()
    }
  })
  return (
    <form onSubmit={submit.onSubmit} noValidate>
      <Stack gap="sm" maw={480}>
        <TextInput
          label={labels.groupName}
          description="Shown to all members, in the workspace switcher and in titles."
          name="groupName"
          autoComplete="off"
          key={form.key('groupName')}
          {...form.getInputProps('groupName')}
        />
        <FormAlert>{submit.alert}</FormAlert>
        <Group>
          <WriteGuard endpoint="workspaces">
            <Button type="submit" loading={submit.isBusy}>
              Rename
            </Button>
          </WriteGuard>
        </Group>
      </Stack>
    </form>
  )
}
