import { Input, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { notifySuccess } from '../../components/toast.tsx'
import { DialogForm } from '../../forms/dialog-form.tsx'
import { EditDialog, type EditFormProps } from '../../forms/edit-dialog.tsx'
import { useSubmit } from '../../forms/use-submit.ts'
import type { Ladder } from '../moderation/templates/queries.ts'
import { Simulator } from './simulator.tsx'
import { createDraft, type StepDraft, toDrafts, toSteps, toStepsJson } from './step-drafts.ts'
import { StepEditor } from './step-editor.tsx'
import { useRuleActions } from './use-rule-actions.tsx'

/** Creates a ladder, or edits one, and shows what it decides for a player. */
export const LadderForm = (props: EditFormProps<Ladder>) => (
  <EditDialog {...props} noun="ladder" size="xl">
    {(ladder) => <Fields ladder={ladder} close={props.close} />}
  </EditDialog>
)

const labels = { name: 'Name', windowDays: 'Days that a case counts', steps: 'Steps:' }

/** What a new ladder starts with. */
const INITIAL_WINDOW = '90'

function Fields({ ladder, close }: { readonly ladder: Ladder | null; readonly close: () => void }) {
  const { save } = useRuleActions()
  const [drafts, setDrafts] = useState<readonly StepDraft[]>(() =>
    ladder ? toDrafts(ladder.steps) : [createDraft([])],
  )
  const steps = toSteps(drafts)
  const form = useForm({
    mode: 'controlled',
    initialValues: {
      name: ladder?.name ?? '',
      windowDays: ladder ? String(ladder.windowDays ?? '') : INITIAL_WINDOW,
      // Never empty, so that the messages of the server are shown as they are.
      steps: 'x',
    },
  })
  const submit = useSubmit(form, labels, async ({ name, windowDays }) => {
    await save('ladder', ladder, { name, windowDays: windowDays.trim() || null, steps: toStepsJson(steps) })
    close()
    notifySuccess(`${ladder ? 'Saved' : 'Created'} the ladder “${name.trim()}”.`)
  })
  const changeSteps = (next: readonly StepDraft[]) => {
    setDrafts(next)
    form.clearFieldError('steps')
  }
  const { windowDays } = form.values
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
      <Input.Wrapper label="Steps" labelElement="div" error={form.errors.steps}>
        <StepEditor drafts={drafts} change={changeSteps} hasError={Boolean(form.errors.steps)} />
      </Input.Wrapper>
      <Simulator steps={steps} windowDays={windowDays.trim() === '' ? null : Number(windowDays)} />
    </DialogForm>
  )
}
