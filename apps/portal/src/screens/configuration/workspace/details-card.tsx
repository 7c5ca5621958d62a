import { Button, Group, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import {
  findProfileTemplate,
  formatPlatform,
  knownPlatforms,
  MAX_APPROVAL_HOURS,
  PLAYER_ID_PLACEHOLDER,
} from '@reeve/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { workspaceReadQuery } from '../../../api/jobs.ts'
import { useHasPermission, useWorkspace } from '../../../api/me.ts'
import { Card } from '../../../components/card.tsx'
import { CopyTextButton } from '../../../components/copy-button.tsx'
import { ErrorState } from '../../../components/empty-error-loading.tsx'
import { ReadGate } from '../../../components/endpoint-state.tsx'
import { FormattedTime } from '../../../components/formatted-time.tsx'
import { notifySuccess } from '../../../components/toast.tsx'
import { pluralize } from '../../../format/number.ts'
import { SettingsFooter } from '../../../forms/settings-footer.tsx'
import { plainTextProps } from '../../../forms/text-fields.tsx'
import { useStoredForm } from '../../../forms/use-stored-form.ts'
import { useSubmit } from '../../../forms/use-submit.ts'
import classes from './workspace.module.css'
import {
  updateWorkspaceDetails,
  useRefreshWorkspace,
  type WorkspaceRecord,
  workspaceQuery,
} from './workspace-data.ts'

/** The height of the card's content with the form, so that what is below does not move. */
const FORM_HEIGHT = 497

/** The name, id, creation date and quota of a workspace. */
export const DetailsCard = () => (
  <ReadGate endpoint="workspaces">
    <LoadedDetailsCard />
  </ReadGate>
)

function LoadedDetailsCard() {
  const { id } = useWorkspace()
  const { data, error, refetch } = useQuery(workspaceQuery(id))
  const canRename = useHasPermission('workspace.rename')
  if (!data && error) {
    return (
      <Card title="Details">
        <ErrorState error={error} retry={() => void refetch()} />
      </Card>
    )
  }
  return (
    <Card title="Details">
      {data ? <Details workspace={data} /> : <Skeleton h={canRename ? FORM_HEIGHT : 150} aria-busy />}
    </Card>
  )
}

function Details({ workspace }: { readonly workspace: WorkspaceRecord }) {
  const { id, groupName, profileUrl, defaultPlatform, createdAt, monthlyQuota } = workspace
  const canRename = useHasPermission('workspace.rename')
  const canViewUsage = useHasPermission('usage.view')
  return (
    <Stack gap="md">
      {canRename ? (
        <DetailsForm workspace={workspace} />
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
        {canRename || profileUrl === null ? null : (
          <>
            <dt>{labels.profileUrl}</dt>
            <dd>{profileUrl}</dd>
          </>
        )}
        {canRename ? null : (
          <>
            <dt>{labels.defaultPlatform}</dt>
            <dd>{formatPlatform(defaultPlatform)}</dd>
          </>
        )}
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

const labels = {
  groupName: 'Group name',
  profileUrl: 'Player profiles',
  defaultPlatform: 'Default platform',
  approvalHours: 'Time for approvals',
}
const PLATFORMS_LIST = 'known-platforms'

const toValues = ({ groupName, profileUrl, defaultPlatform, approvalHours }: WorkspaceRecord) => ({
  groupName,
  profileUrl: profileUrl ?? '',
  defaultPlatform,
  approvalHours,
})

function DetailsForm({ workspace }: { readonly workspace: WorkspaceRecord }) {
  const client = useQueryClient()
  const refresh = useRefreshWorkspace(workspace.id)
  const form = useForm({ mode: 'controlled', initialValues: toValues(workspace) })
  const { profileUrl, defaultPlatform: platform } = form.values
  const platformProfiles = findProfileTemplate(platform)
  const { conflict, readTexts, save } = useStoredForm(form, {
    noun: 'workspace',
    labels,
    stored: workspace,
    toValues,
    readLatest: async () =>
      (await client.fetchQuery({ ...workspaceReadQuery(workspace.id), staleTime: 0 })).workspace,
  })
  const submit = useSubmit(form, labels, async (values) => {
    const saved = await save(values, (before) => updateWorkspaceDetails(before, values))
    notifySuccess(`Saved the workspace ${saved.groupName}.`)
    await refresh()
  })
  return (
    <form onSubmit={submit.onSubmit} noValidate>
      <Stack gap="sm" maw={480}>
        <TextInput
          label={labels.groupName}
          description="Shown to all members, in the workspace switcher and in titles."
          name="groupName"
          autoComplete="off"
          {...form.getInputProps('groupName')}
        />
        <TextInput
          {...plainTextProps}
          label={labels.defaultPlatform}
          description="The platform of player IDs that name none. Bans keep working when you change it."
          name="defaultPlatform"
          list={PLATFORMS_LIST}
          autoComplete="off"
          {...form.getInputProps('defaultPlatform')}
        />
        <datalist id={PLATFORMS_LIST}>
          {knownPlatforms.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
        <TextInput
          {...plainTextProps}
          label={labels.profileUrl}
          description={`The link to a player’s profile on the default platform, with ${PLAYER_ID_PLACEHOLDER} for the player’s ID. It opens only when someone clicks it.`}
          placeholder={platformProfiles ?? ''}
          name="profileUrl"
          inputMode="url"
          autoComplete="off"
          {...form.getInputProps('profileUrl')}
        />
        {profileUrl === '' && platformProfiles !== null ? (
          <Group>
            <Button
              variant="default"
              size="xs"
              onClick={() => form.setFieldValue('profileUrl', platformProfiles)}
            >
              Use {formatPlatform(platform)} profiles
            </Button>
          </Group>
        ) : null}
        <TextInput
          label={labels.approvalHours}
          description={`How many hours a ban that waits for approval is in effect: 1 to ${MAX_APPROVAL_HOURS}.`}
          name="approvalHours"
          inputMode="numeric"
          autoComplete="off"
          {...form.getInputProps('approvalHours')}
        />
        <SettingsFooter
          form={form}
          submit={submit}
          conflict={conflict}
          readTexts={readTexts}
          writesTo="workspaces"
        />
      </Stack>
    </form>
  )
}
