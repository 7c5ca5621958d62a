import { Button, Group, NativeSelect, Stack, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { useHasPermission } from '../../../api/me.ts'
import { CancelButton } from '../../../components/cancel-button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { useDialogLock, useDirtyCheck } from '../../../components/dialog-context.ts'
import { DialogFooter } from '../../../components/dialog-footer.tsx'
import { BlockedAlert, WriteGuard } from '../../../components/endpoint-state.tsx'
import { useNow } from '../../../format/use-now.ts'
import { EditConflict } from '../../../forms/edit-conflict.tsx'
import { FormAlert } from '../../../forms/form-alert.tsx'
import { useSubmit } from '../../../forms/use-submit.ts'
import { type Event, eventTypeLabels } from '../event-data.ts'
import { useNarrowScreen } from '../use-narrow-screen.ts'
import { copyEventValues, createBlankValues, type EventFormMode, toEventValues } from './event-values.ts'
import { ExperienceFields } from './experience-fields.tsx'
import { labels } from './field-labels.ts'
import { HostField } from './host-field.tsx'
import { type ImageChoice, ImageField } from './image-field.tsx'
import { PublishField } from './publish-field.tsx'
import { EndField, StartField, TrainingStartField } from './time-fields.tsx'
import { useEventConflict } from './use-event-conflict.ts'
import { useSaveEvent } from './use-save-event.ts'

interface Props {
  /** Null while the form is closed. */
  readonly formMode: EventFormMode | null
  readonly close: () => void
  readonly onSaved: (event: Event) => void
}

function getTitle(formMode: EventFormMode | null): string {
  if (formMode === null || formMode.kind === 'new') return 'New event'
  return formMode.kind === 'edit' ? `Edit “${formMode.event.title}”` : `Duplicate “${formMode.event.title}”`
}

/** Creates or edits an event. Closing it with unsaved changes needs confirmation. */
export function EventForm({ formMode, close, onSaved }: Props) {
  const isNarrow = useNarrowScreen()
  return (
    <Dialog
      opened={formMode !== null}
      onClose={close}
      size="lg"
      fullScreen={isNarrow}
      title={<bdi>{getTitle(formMode)}</bdi>}
      closeOnClickOutside={false}
    >
      {formMode === null ? null : <Fields formMode={formMode} onSaved={onSaved} />}
    </Dialog>
  )
}

interface FieldsProps {
  readonly formMode: EventFormMode
  readonly onSaved: (event: Event) => void
}

function Fields({ formMode, onSaved }: FieldsProps) {
  const now = useNow()
  const canPublish = useHasPermission('events.publish')
  const [initial] = useState(() =>
    formMode.kind === 'new'
      ? createBlankValues(formMode.day)
      : formMode.kind === 'edit'
        ? toEventValues(formMode.event)
        : copyEventValues(formMode.event, now),
  )
  const [values, setValues] = useState(initial)
  const [image, setImage] = useState<ImageChoice>({ kind: 'same' })
  const form = useForm({ mode: 'uncontrolled', initialValues: initial, onValuesChange: setValues })
  useDirtyCheck(() => form.isDirty() || image.kind !== 'same')
  const conflict = useEventConflict({ form, image, setImage, canPublish })
  const save = useSaveEvent(formMode, image, conflict.report)
  const submit = useSubmit(form, labels, async (submitted) => {
    onSaved(await save(submitted))
  })
  useDialogLock(submit.isBusy)
  const event = formMode.kind === 'new' ? null : formMode.event
  return (
    <form onSubmit={submit.onSubmit} noValidate>
      <Stack gap="md">
        <TextInput
          label={labels.title}
          name="title"
          autoComplete="off"
          maxLength={100}
          data-autofocus
          key={form.key('title')}
          {...form.getInputProps('title')}
        />
        <Group gap="sm" grow preventGrowOverflow={false} align="flex-start">
          <NativeSelect
            label={labels.eventType}
            name="eventType"
            data={Object.entries(eventTypeLabels).map(([value, label]) => ({ value, label }))}
            key={form.key('eventType')}
            {...form.getInputProps('eventType')}
          />
          <StartField form={form} values={values} />
        </Group>
        <Group gap="sm" grow preventGrowOverflow={false} align="flex-start">
          {values.eventType === 'training' ? <TrainingStartField form={form} values={values} /> : null}
          <EndField form={form} values={values} />
        </Group>
        <HostField form={form} values={values} />
        <Textarea
          label={labels.description}
          name="description"
          autosize
          minRows={3}
          maxRows={12}
          maxLength={4000}
          key={form.key('description')}
          {...form.getInputProps('description')}
        />
        <ImageField
          label={labels.imageDataUrl}
          currentUrl={
            conflict.currentImageUrl === undefined ? (event?.imageUrl ?? null) : conflict.currentImageUrl
          }
          value={image}
          onChange={setImage}
          error={form.errors.imageDataUrl}
        />
        <ExperienceFields form={form} labels={labels} />
        <PublishField
          value={values.published}
          onChange={(value) => form.setFieldValue('published', value)}
          canPublish={canPublish}
        />
        <EditConflict fields={conflict.fields} otherChanges={conflict.otherChanges} />
        <BlockedAlert endpoint="events" />
        <DialogFooter note={<FormAlert>{submit.alert}</FormAlert>}>
          <CancelButton isBusy={submit.isBusy} />
          <WriteGuard endpoint="events">
            <Button type="submit" loading={submit.isBusy}>
              {formMode.kind === 'edit' ? 'Save' : values.published === 'true' ? 'Publish' : 'Save as draft'}
            </Button>
          </WriteGuard>
        </DialogFooter>
      </Stack>
    </form>
  )
}
