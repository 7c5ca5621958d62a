import { Input, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useWorkspace } from '../../api/me.ts'
import { notifySuccess } from '../../components/toast.tsx'
import { DialogForm } from '../../forms/dialog-form.tsx'
import { EditConflict } from '../../forms/edit-conflict.tsx'
import { EditDialog, type EditFormProps } from '../../forms/edit-dialog.tsx'
import { useEditConflict } from '../../forms/use-edit-conflict.ts'
import { useSubmit } from '../../forms/use-submit.ts'
import { useVersionedSave } from '../../forms/use-versioned-save.ts'
import { formatStep } from '../moderation/templates/format-measure.ts'
import type { Ladder } from '../moderation/templates/queries.ts'
import { readLadder } from './latest-rules.ts'
import { Simulator } from './simulator.tsx'
import {
  areComplete,
  createDraft,
  readDrafts,
  toDrafts,
  toSteps,
  toStepsJson,
  writeDrafts,
} from './step-drafts.ts'
import { StepEditor } from './step-editor.tsx'
import { useRuleActions } from './use-rule-actions.tsx'

/** Creates a ladder, or edits one, and shows what it decides for a player. */
export const LadderForm = (props: EditFormProps<Ladder>) => (
  <EditDialog {...props} noun="ladder" size="xl">
    {(ladder) => <Fields ladder={ladder} close={props.close} />}
  </EditDialog>
)

const labels = { name: 'Name', windowDays: 'Days that a case counts', steps: 'Steps' }

/** What a new ladder starts with. */
const INITIAL_WINDOW = '90'

/** A ladder as fields of the form. */
const toValues = (ladder: Ladder | null) => ({
  name: ladder?.name ?? '',
  windowDays: ladder ? String(ladder.windowDays ?? '') : INITIAL_WINDOW,
  steps: writeDrafts(ladder ? toDrafts(ladder.steps) : [createDraft([])]),
})

/** The steps in words, to compare them with those of somebody else. */
function formatSteps(text: string): string {
  const steps = toSteps(readDrafts(text))
  return areComplete(steps)
    ? steps.map((_, index) => formatStep(steps, index)).join('; ')
    : 'Steps that are not complete'
}

function Fields({ ladder, close }: { readonly ladder: Ladder | null; readonly close: () => void }) {
  const { id: workspaceId } = useWorkspace()
  const { save } = useRuleActions()
  const form = useForm({ mode: 'controlled', initialValues: toValues(ladder) })
  const conflict = useEditConflict(form, labels, (name, value) =>
    name === 'steps' ? formatSteps(value) : value,
  )
  const saveVersion = useVersionedSave({
    opened: ladder,
    readLatest: async () => ladder && (await readLadder(workspaceId, ladder.id)),
    report: (before, theirs) => conflict.report('ladder', toValues(before), toValues(theirs)),
  })
  // With a colon: the messages of the server name the step that they are about.
  const submit = useSubmit(form, { ...labels, steps: 'Steps:' }, async ({ name, ...values }) => {
    await saveVersion((edited) =>
      save('ladder', edited, {
        name,
        windowDays: values.windowDays.trim() || null,
        steps: toStepsJson(toSteps(readDrafts(values.steps))),
      }),
    )
    close()
    notifySuccess(`${ladder ? 'Saved' : 'Created'} the ladder “${name.trim()}”.`)
  })
  const { windowDays } = form.values
  const drafts = readDrafts(form.values.steps)
  return (
    <DialogForm
      submit={submit}
      submitLabel={ladder ? 'Save' : 'Create ladder'}
      gap="lg"
      writesTo="moderation"
    >
      <TextInput
        label={labels.name}
        description="Such as “Chat”"
        name="name"
        autoComplete="off"
        maxLength={60}
        data-autofocus
        {...form.getInputProps('name')}
      />
      <TextInput
        label={labels.windowDays}
        description="Empty: forever. Revoked cases never count"
        inputMode="numeric"
        {...form.getInputProps('windowDays')}
      />
      <Input.Wrapper label={labels.steps} labelElement="div" error={form.errors.steps}>
        <StepEditor
          drafts={drafts}
          change={(next) => form.setFieldValue('steps', writeDrafts(next))}
          hasError={Boolean(form.errors.steps)}
        />
      </Input.Wrapper>
      <Simulator steps={toSteps(drafts)} windowDays={windowDays.trim() === '' ? null : Number(windowDays)} />
      <EditConflict {...conflict} />
    </DialogForm>
  )
}
