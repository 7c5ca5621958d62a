import { Button, Group, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { MAX_APPEAL_FILE_BYTES, MAX_APPEAL_FILES, MAX_APPEAL_QUESTIONS } from '@reeve/core'
import { useHasPermission, useWorkspace } from '../../../api/me.ts'
import { WriteGuard } from '../../../components/endpoint-state.tsx'
import { notifySuccess } from '../../../components/toast.tsx'
import { UnsavedText } from '../../../components/unsaved-text.tsx'
import { formatBytes } from '../../../format/number.ts'
import { FormAlert } from '../../../forms/form-alert.tsx'
import { useSubmit } from '../../../forms/use-submit.ts'
import { type AppealSettings, type SettingsValues, saveAppealSettings } from './settings-data.ts'

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

/** The settings of appeals. Without the permission to change them, they are only shown. */
export function SettingsForm({ settings }: { readonly settings: AppealSettings }) {
  const { id: workspaceId } = useWorkspace()
  const canChange = useHasPermission('moderation.configure')
  const form = useForm<SettingsValues>({
    mode: 'controlled',
    initialValues: {
      enabled: settings.enabled === 'true',
      afterDays: settings.afterDays,
      windowDays: settings.windowDays ?? '',
      cooldownDays: settings.cooldownDays,
      allowOwnDecision: settings.allowOwnDecision === 'true',
      allowFiles: settings.allowFiles === 'true',
      introduction: settings.introduction ?? '',
      questions: settings.questions
        .map(({ text, required }) => (required === 'true' ? text : `${text} (optional)`))
        .join('\n'),
    },
  })
  const submit = useSubmit(form, labels, async (values) => {
    await saveAppealSettings(workspaceId, settings, values)
    notifySuccess('Saved how appeals work.')
  })
  const days = { inputMode: 'numeric', maxLength: 4, disabled: !canChange } as const
  return (
    <form onSubmit={submit.onSubmit} noValidate>
      <Stack gap="md">
        <Switch
          label={labels.enabled}
          description="Unless the template of a ban says that it cannot be appealed. Applies to bans from now on; switched off, no appeal can be submitted."
          disabled={!canChange}
          {...form.getInputProps('enabled', { type: 'checkbox' })}
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
        <Switch
          label={labels.allowOwnDecision}
          disabled={!canChange}
          {...form.getInputProps('allowOwnDecision', { type: 'checkbox' })}
        />
        <Switch
          label={labels.allowFiles}
          description={`Up to ${MAX_APPEAL_FILES} files of ${formatBytes(MAX_APPEAL_FILE_BYTES)} for each ban. Only staff with the permission for evidence files can open them.`}
          disabled={!canChange}
          {...form.getInputProps('allowFiles', { type: 'checkbox' })}
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
        <FormAlert>{submit.alert}</FormAlert>
        {canChange ? (
          <Group>
            <WriteGuard endpoint="moderation">
              <Button type="submit" loading={submit.isBusy}>
                Save
              </Button>
            </WriteGuard>
          </Group>
        ) : null}
      </Stack>
      <UnsavedText hasText={form.isDirty()} discard={form.reset} isSaving={submit.isBusy} />
    </form>
  )
}
