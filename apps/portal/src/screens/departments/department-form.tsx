import { Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { ColorField } from '../../components/color-field.tsx'
import { notifySuccess } from '../../components/toast.tsx'
import { DialogForm } from '../../forms/dialog-form.tsx'
import { EditConflict } from '../../forms/edit-conflict.tsx'
import { EditDialog, type EditFormProps } from '../../forms/edit-dialog.tsx'
import { useEditConflict } from '../../forms/use-edit-conflict.ts'
import { useSubmit } from '../../forms/use-submit.ts'
import type { Department } from './department-data.ts'
import { toDetails } from './department-details.ts'
import { useSaveDetails } from './use-save-details.ts'

/** Creates a department, or edits its name, color and description. */
export const DepartmentForm = (props: EditFormProps<Department>) => (
  <EditDialog {...props} noun="department">
    {(department) => <Fields department={department} close={props.close} />}
  </EditDialog>
)

const labels = { name: 'Name', color: 'Color', description: 'Description' }

function Fields({
  department,
  close,
}: {
  readonly department: Department | null
  readonly close: () => void
}) {
  const form = useForm({ mode: 'uncontrolled', initialValues: toDetails(department) })
  const conflict = useEditConflict(form, labels)
  const save = useSaveDetails(department, (before, theirs) => conflict.report('department', before, theirs))
  const submit = useSubmit(form, labels, async (values) => {
    const saved = await save(values)
    close()
    if (saved) notifySuccess(`${department ? 'Saved' : 'Created'} the department “${saved.name}”.`)
  })
  return (
    <DialogForm
      submit={submit}
      submitLabel={department ? 'Save' : 'Create department'}
      writesTo="departments"
    >
      <TextInput
        label={labels.name}
        name="name"
        autoComplete="off"
        maxLength={100}
        data-autofocus
        key={form.key('name')}
        {...form.getInputProps('name')}
      />
      <ColorField
        label={labels.color}
        name="color"
        key={form.key('color')}
        {...form.getInputProps('color')}
      />
      <Textarea
        label={labels.description}
        description="What the department does, for people who do not know it"
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        name="description"
        autosize
        minRows={3}
        maxRows={9}
        maxLength={1000}
        key={form.key('description')}
        {...form.getInputProps('description')}
      />
      <EditConflict {...conflict} />
    </DialogForm>
  )
}
