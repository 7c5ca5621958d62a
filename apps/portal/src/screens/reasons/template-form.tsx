import { Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { severities } from '@reeve/core'
import { useQuery } from '@tanstack/react-query'
import type { Schemas } from '../../api/client.ts'
import { useWorkspace } from '../../api/me.ts'
import { notifySuccess } from '../../components/toast.tsx'
import { DialogForm } from '../../forms/dialog-form.tsx'
import { EditConflict } from '../../forms/edit-conflict.tsx'
import { EditDialog, type EditFormProps } from '../../forms/edit-dialog.tsx'
import { useEditConflict } from '../../forms/use-edit-conflict.ts'
import { useSubmit } from '../../forms/use-submit.ts'
import { useVersionedSave } from '../../forms/use-versioned-save.ts'
import { toLabel } from '../moderation/action-labels.ts'
import { laddersQuery, type Template } from '../moderation/templates/queries.ts'
import { readTemplate } from './latest-rules.ts'
import { useRuleActions } from './use-rule-actions.tsx'

/** Creates a template, or edits one. */
export const TemplateForm = (props: EditFormProps<Template>) => (
  <EditDialog {...props} noun="template" size="lg">
    {(template) => <Fields template={template} close={props.close} />}
  </EditDialog>
)

const labels = {
  name: 'Name',
  publicReason: 'What the player reads',
  ladderId: 'Ladder',
  defaultSeverity: 'Severity',
  appealable: 'Appeals',
  appealAfterDays: 'Days until a player can appeal',
}

const CAN_APPEAL = 'Players can appeal'
const BY_ACTION = { value: '', label: 'The default of the action' }
const NO_LADDER = { value: '', label: 'None: staff choose the action' }

/** A template as fields of the form. */
const toValues = (template: Schemas['Template'] | null) => ({
  name: template?.name ?? '',
  publicReason: template?.publicReason ?? '',
  ladderId: template?.ladderId ?? '',
  defaultSeverity: template?.defaultSeverity ?? '',
  appealable: template?.appealable ?? 'true',
  appealAfterDays: template?.appealAfterDays ?? '0',
})

function Fields({ template, close }: { readonly template: Template | null; readonly close: () => void }) {
  const { id: workspaceId } = useWorkspace()
  const { data: ladders = [] } = useQuery(laddersQuery(workspaceId))
  const { save } = useRuleActions()
  const form = useForm({ mode: 'controlled', initialValues: toValues(template) })
  const choices = {
    ladderId: [NO_LADDER, ...ladders.map(({ id, name }) => ({ value: id, label: name }))],
    defaultSeverity: [BY_ACTION, ...severities.map((value) => ({ value, label: toLabel(value) }))],
    appealable: [
      { value: 'true', label: 'Yes' },
      { value: 'false', label: 'No' },
    ],
  }
  const conflict = useEditConflict(form, { ...labels, appealable: CAN_APPEAL }, (name, value) => {
    const options = Object.entries(choices).find(([field]) => field === name)?.[1] ?? []
    return options.find((option) => option.value === value)?.label ?? value
  })
  const saveVersion = useVersionedSave<Schemas['Template'] | null>({
    opened: template,
    readLatest: async () => template && (await readTemplate(workspaceId, template.id)),
    report: (before, theirs) => conflict.report('template', toValues(before), toValues(theirs)),
  })
  const submit = useSubmit(form, labels, async (values) => {
    await saveVersion((edited) =>
      save('template', edited, {
        ...values,
        ladderId: values.ladderId || null,
        defaultSeverity: values.defaultSeverity || null,
        appealAfterDays: values.appealAfterDays || '0',
      }),
    )
    close()
    notifySuccess(`${template ? 'Saved' : 'Created'} the template “${values.name.trim()}”.`)
  })
  return (
    <DialogForm submit={submit} submitLabel={template ? 'Save' : 'Create template'} writesTo="moderation">
      <TextInput
        label={labels.name}
        description="As staff see it, such as “Spamming”"
        name="name"
        autoComplete="off"
        maxLength={60}
        data-autofocus
        {...form.getInputProps('name')}
      />
      <Textarea
        label={labels.publicReason}
        description="Shown to the player instead of what staff write"
        name="publicReason"
        autosize
        minRows={2}
        maxRows={8}
        maxLength={400}
        {...form.getInputProps('publicReason')}
      />
      <NativeSelect
        label={labels.ladderId}
        description="Decides the action by the player’s earlier cases"
        data={choices.ladderId}
        {...form.getInputProps('ladderId')}
      />
      <NativeSelect
        label={labels.defaultSeverity}
        data={choices.defaultSeverity}
        {...form.getInputProps('defaultSeverity')}
      />
      <Checkbox
        label={CAN_APPEAL}
        checked={form.values.appealable === 'true'}
        onChange={(event) => form.setFieldValue('appealable', String(event.currentTarget.checked))}
      />
      {form.values.appealable === 'true' ? (
        <TextInput
          label={labels.appealAfterDays}
          description="0 for at once"
          inputMode="numeric"
          w={160}
          {...form.getInputProps('appealAfterDays')}
        />
      ) : null}
      <EditConflict {...conflict} />
    </DialogForm>
  )
}
