import { Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { isVersionMismatch } from '../../api/error.ts'
import { useHasPermission, useWorkspace } from '../../api/me.ts'
import { openConfirmDialog } from '../../components/confirm-dialog.tsx'
import { FormattedTime } from '../../components/formatted-time.tsx'
import { notifySuccess } from '../../components/toast.tsx'
import { pluralize } from '../../format/number.ts'
import { SettingsFooter } from '../../forms/settings-footer.tsx'
import { useStoredForm } from '../../forms/use-stored-form.ts'
import { type FormSubmission, useSubmit } from '../../forms/use-submit.ts'
import {
  type DueRecords,
  previewRules,
  type Retention,
  type RetentionValues,
  type RuleField,
  retentionQuery,
  saveRules,
  toValues,
} from './retention-data.ts'

const labels: Readonly<Record<RuleField, string>> = {
  noteDays: 'Notes',
  warnDays: 'Warnings',
  kickDays: 'Kicks',
  muteDays: 'Mutes',
  banDays: 'Bans',
}

/** The retention rules. A save that deletes something asks before. Without the permission to change them, they are only shown. */
export function RetentionForm({ retention }: { readonly retention: Retention }) {
  const { id: workspaceId } = useWorkspace()
  const canChange = useHasPermission('moderation.configure')
  const client = useQueryClient()
  const form = useForm({ mode: 'controlled', initialValues: toValues(retention) })
  const stored = useStoredForm(form, {
    noun: 'set of rules',
    labels,
    stored: retention,
    toValues,
    readLatest: () => client.fetchQuery({ ...retentionQuery(workspaceId), staleTime: 0 }),
  })
  const save = async (values: RetentionValues) => {
    await stored.save(values, (before) => saveRules(workspaceId, before, values))
    notifySuccess('Saved the retention rules.')
  }
  const submit: FormSubmission = useSubmit(form, labels, async (values) => {
    const due = await previewRules(workspaceId, values)
    if (due.total === '0') return save(values)
    openConfirmDialog({
      title: `Delete ${pluralize(due.total, 'case')} tonight?`,
      confirmLabel: 'Save and delete',
      isDestructive: true,
      children: <DueCases due={due} />,
      // After a change by someone else, what is to be saved must be decided in the form, and what it deletes confirmed again.
      run: () =>
        save(values).catch((error) => {
          if (!isVersionMismatch(error)) throw error
          submit.showError(error)
        }),
    })
  })
  return (
    <form onSubmit={submit.onSubmit} noValidate>
      <Stack gap="md">
        <Text size="sm">
          Days after the last change of a case, or after the end of a ban or mute that expired. Empty keeps
          the cases.
        </Text>
        {Object.entries(labels).map(([field, label]) => (
          <TextInput
            key={field}
            label={label}
            placeholder="Kept"
            inputMode="numeric"
            maxLength={4}
            maw={240}
            disabled={!canChange}
            {...form.getInputProps(field)}
          />
        ))}
        <Text size="sm" c="dimmed">
          Never deleted: bans and mutes in force, cases that still count in a ladder, that are pinned, or that
          are assigned to somebody who is still a member, and bans with an open appeal or waiting for
          approval. Next run: <FormattedTime value={retention.nextRunAt} format="dateTime" />.
        </Text>
        <SettingsFooter
          form={form}
          submit={submit}
          conflict={stored.conflict}
          readTexts={stored.readTexts}
          writesTo="moderation"
          canChange={canChange}
        />
      </Stack>
    </form>
  )
}

/** What the next run would delete. */
function DueCases({ due }: { readonly due: DueRecords }) {
  const counts = [
    [due.notes, 'note'],
    [due.warnings, 'warning'],
    [due.kicks, 'kick'],
    [due.mutes, 'mute'],
    [due.bans, 'ban'],
  ] as const
  const parts = counts.filter(([count]) => count !== '0').map(([count, name]) => pluralize(count, name))
  return (
    <>
      With these rules, {parts.join(', ')} would be deleted from{' '}
      <FormattedTime value={due.at} format="dateTime" /> on, with their comments, evidence and appeals.
      Deleted cases cannot be restored.
    </>
  )
}
