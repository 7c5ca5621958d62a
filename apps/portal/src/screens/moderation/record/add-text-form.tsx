import { Button, Group, Stack, Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import { FormAlert } from '../../../forms/form-alert.tsx'
import { useSubmit } from '../../../forms/use-submit.ts'

interface Props {
  readonly label: string
  readonly description?: string
  readonly submitLabel: string
  readonly add: (value: string) => Promise<void>
}

/** A text to be appended. It goes once it was taken in, and stays where it was not. */
export function AddTextForm({ label, description, submitLabel, add }: Props) {
  const form = useForm({ mode: 'controlled', initialValues: { value: '' } })
  const submit = useSubmit(form, { value: label }, async ({ value }) => {
    await add(value)
    // What was typed meanwhile stays.
    if (form.getValues().value === value) form.reset()
  })
  return (
    <form onSubmit={submit.onSubmit} noValidate>
      <Stack gap="xs">
        <Textarea
          label={label}
          description={description}
          autosize
          minRows={1}
          maxRows={8}
          {...form.getInputProps('value')}
        />
        <FormAlert>{submit.alert}</FormAlert>
        <Group>
          <Button
            type="submit"
            variant="default"
            loading={submit.isBusy}
            disabled={form.values.value.trim() === ''}
          >
            {submitLabel}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
