import { Button, Group, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useMay, useWorkspace } from '../../../api/me.ts'
import { Card } from '../../../components/card.tsx'
import { Copy } from '../../../components/copy-field.tsx'
import { FormAlert } from '../../../components/form-alert.tsx'
import { useMayChange } from '../../../components/permission-gate.tsx'
import { PlainTime } from '../../../components/plain-time.tsx'
import { ErrorState } from '../../../components/states.tsx'
import { tellDone } from '../../../components/tell.tsx'
import { count } from '../../../format/number.ts'
import { useSubmit } from '../../../forms/use-submit.ts'
import { actOn, useAfterAction, type WorkspaceRecord, workspaceQuery } from './data.ts'
import classes from './workspace.module.css'

/** What the workspace is called, and what else is to be known of it. */
export function DetailsCard() {
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
  const mayRename = useMayChange('workspace.rename')
  const maySeeUsage = useMay('usage.view')
  return (
    <Stack gap="md">
      {mayRename ? (
        <NameForm workspace={workspace} />
      ) : (
        <Text fw={550}>
          <bdi>{groupName}</bdi>
        </Text>
      )}
      <dl className={classes.facts}>
        <dt>Id</dt>
        <dd className={classes.sum}>
          <code>{id}</code>
          <Copy value={id} label="Id of the workspace" />
        </dd>
        <dt>Made</dt>
        <dd>
          <PlainTime at={createdAt} as="date" />
        </dd>
        {maySeeUsage ? (
          <>
            <dt>Quota</dt>
            <dd>{monthlyQuota === null ? 'none' : `${count(monthlyQuota, 'call')} a month`}</dd>
          </>
        ) : null}
      </dl>
    </Stack>
  )
}

const labels = { groupName: 'Group name' }

function NameForm({ workspace: { id, groupName, version } }: { readonly workspace: WorkspaceRecord }) {
  const after = useAfterAction(id)
  const form = useForm({ mode: 'uncontrolled', initialValues: { groupName } })
  const submit = useSubmit(form, labels, async (values) => {
    try {
      const renamed = await actOn({ action: 'rename', id, ...values }, version)
      form.setInitialValues({ groupName: renamed.groupName })
      form.reset()
      tellDone(`The workspace is now called ${renamed.groupName}.`)
    } finally {
      // Where somebody else was quicker, the next try is on top of what they did.
      await after()
    }
  })
  return (
    <form onSubmit={submit.onSubmit} noValidate>
      <Stack gap="sm" maw={480}>
        <TextInput
          label={labels.groupName}
          description="Everybody in the workspace sees it, in the switcher and in titles."
          name="groupName"
          autoComplete="off"
          key={form.key('groupName')}
          {...form.getInputProps('groupName')}
        />
        <FormAlert>{submit.alert}</FormAlert>
        <Group>
          <Button type="submit" loading={submit.isBusy}>
            Rename
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
