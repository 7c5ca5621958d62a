import { Stack, Switch, Text, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { MAX_APPEAL_FILE_BYTES, MAX_APPEAL_FILES, MAX_APPEAL_QUESTIONS } from '@reeve/core'
import { useQueryClient } from '@tanstack/react-query'
import type { ChangeEvent } from 'react'
import { useHasPermission, useWorkspace } from '../../../api/me.ts'
import { notifySuccess } from '../../../components/toast.tsx'
import { formatBytes } from '../../../format/number.ts'
import { SettingsFooter } from '../../../forms/settings-footer.tsx'
import { useStoredForm } from '../../../forms/use-stored-form.ts'
import { useSubmit } from '../../../forms/use-submit.ts'
import { type AppealSettings, appealSettingsQuery, saveAppealSettings, toValues } from './settings-data.ts'

const labels = {
  enabled: 'Players can appeal bans',
  afterDays: 'Days until a ban can be appealed',
  windowDays: 'Days in which it can be appealed',
  cooldownDays: 'Days until the next appeal after a denial',
  allowOwnDecision: 'The person who banned may decide the appeal',
  allowFiles: 'Players can send files with an appeal',
  introduction: 'Introduction',
  questions: 'Questions',
}

const switches = ['enabled', 'allowOwnDecision', 'allowFiles'] as const
type SwitchField = (typeof switches)[number]
const isSwitch = (name: string): name is SwitchField => switches.some((field) => field === name)

/** The settings of appeals. Without the permission to change them, they are only shown. */
export function SettingsForm({ settings }: { readonly settings: AppealSettings }) {
  const { id: workspaceId } = useWorkspace()
  const canChange = useHasPermission('moderation.configure')
  const client = useQueryClient()
  const form = useForm({ mode: 'controlled', initialValues: toValues(settings) })
  const { conflict, readTexts, save } = useStoredForm(form, {
    noun: 'appeal form',
    labels,
    stored: settings,
    toValues,
    readLatest: () => client.fetchQuery({ ...appealSettingsQuery(workspaceId), staleTime: 0 }),
    format: (name, value) => (isSwitch(name) ? (value === 'true' ? 'On' : 'Off') : value),
  })
  const submit = useSubmit(form, labels, async (values) => {
    await save(values, (before) => saveAppealSettings(workspaceId, before, values))
    notifySuccess('Saved how appeals work.')
  })
  const switchProps = (name: SwitchField) => ({
    label: labels[name],
    disabled: !canChange,
    checked: form.values[name] === 'true',
    onChange: (event: ChangeEvent<HTMLInputElement>) =>
      form.setFieldValue(name, String(event.currentTarget.checked)),
  })
  const days = { inputMode: 'numeric', maxLength: 4, disabled: !canChange } as const
  return (
    <form onSubmit={submit.onSubmit} noValidate>
      <Stack gap="md">
        <Switch
          description="Unless the template of a ban says that it cannot be appealed. Applies to bans from now on; switched off, no appeal can be submitted."
          {...switchProps('enabled')}
        />
        <TextInput
          label={labels.afterDays}
          description="For bans without a template, from now on. A template has its own."
          {...days}
          {...form.getInputProps('afterDays')}
        />
        <TextInput
          label={labels.windowDays}
          description="From then on; empty for no limit. Applies to bans from now on."
          {...days}
          {...form.getInputProps('windowDays')}
        />
        <TextInput label={labels.cooldownDays} {...days} {...form.getInputProps('cooldownDays')} />
        <Switch {...switchProps('allowOwnDecision')} />
        <Switch
          description={`Up to ${MAX_APPEAL_FILES} files of ${formatBytes(MAX_APPEAL_FILE_BYTES)} for each ban. Only staff with the permission for evidence files can open them.`}
          {...switchProps('allowFiles')}
        />
        <Textarea
          label={labels.introduction}
          description="What players read above the form."
          autosize
          minRows={2}
          maxRows={8}
          disabled={!canChange}
          {...form.getInputProps('introduction')}
        />
        <Textarea
          label={labels.questions}
          description={`One per line, at most ${MAX_APPEAL_QUESTIONS}. Players must answer each, unless it ends with (optional).`}
          autosize
          minRows={3}
          maxRows={12}
          disabled={!canChange}
          {...form.getInputProps('questions')}
        />
        <Text size="sm" c="dimmed">
          Players appeal at {new URL('/appeal', location.href).href} with the code of their ban, or in your
          game.
        </Text>
        <SettingsFooter
          form={form}
          submit={submit}
          conflict={conflict}
          readTexts={readTexts}
          writesTo="moderation"
          canChange={canChange}
        />
      </Stack>
    </form>
  )
}
