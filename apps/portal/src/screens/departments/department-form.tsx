import { Button, Group, Modal, Stack, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { ColourField } from '../../components/colour-field.tsx'
import { FormAlert } from '../../components/form-alert.tsx'
import { tellDone } from '../../components/tell.tsx'
import { useSubmit } from '../../forms/use-submit.ts'
import type { Department } from './department-data.ts'
import { detailsOf } from './details.ts'
import { useSaveDetails } from './use-save-details.ts'

interface Props {
  /** The department to change, or that a new one is to be made; null while the form is shut. */
  readonly what: Department | 'new' | null
  readonly close: () => void
}

/** Makes a department, or changes what it is called, how it looks and what it is for. */
export const DepartmentForm = ({ what, close }: Props) => (
  <Modal
    opened={what !== null}
    onClose={close}
    title={what === 'new' || what === null ? 'New department' : `Change “${what.name}”`}
    closeButtonProps={{ 'aria-label': 'Close' }}
    closeOnClickOutside={false}
  >
    {what === null ? null : <Fields department={what === 'new' ? null : what} close={close} />}
  </Modal>
)

const labels = { name: 'Name', color: 'Colour', description: 'Description' }

function Fields({
  department,
  close,
}: {
  readonly department: Department | null
  readonly close: () => void
}) {
  const form = useForm({ mode: 'uncontrolled', initialValues: detailsOf(department) })
  const save = useSaveDetails(department, (theirs) => form.setValues(theirs))
  const submit = useSubmit(form, labels, async (values) => {
    const saved = await save(values)
    close()
    if (saved) tellDone(`${department ? 'Changed' : 'Made'} the department “${saved.name}”.`)
  })
  return (
    <form onSubmit={submit.onSubmit} noValidate>
      <Stack gap="md">
        <TextInput
          label={labels.name}
          name="name"
          autoComplete="off"
          maxLength={100}
          data-autofocus
          key={form.key('name')}
          {...form.getInputProps('name')}
        />
        <ColourField
          label={labels.color}
          name="color"
          key={form.key('color')}
          {...form.getInputProps('color')}
        />
        <Textarea
          label={labels.description}
          description="What it is for, for those who do not know it yet"
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          name="description"
          autosize
          minRows={3}
          maxRows={9}
          maxLength={1000}
          key={form.key('description')}
          {...form.getInputProps('description')}
        />
        <FormAlert>{submit.alert}</FormAlert>
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={submit.isBusy}>
            {department ? 'Save' : 'Make the department'}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
