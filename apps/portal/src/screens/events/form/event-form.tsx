import { Button, Group, NativeSelect, Stack, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMediaQuery } from '@mantine/hooks'
import { useState } from 'react'
import { Dialog } from '../../../components/dialog.tsx'
import { FormAlert } from '../../../components/form-alert.tsx'
import { useMayChange } from '../../../components/permission-gate.tsx'
import { useNow } from '../../../format/use-now.ts'
import { useSubmit } from '../../../forms/use-submit.ts'
import type { Day } from '../calendar.ts'
import details from '../details.module.css'
import { type Event, eventTypes } from '../event-data.ts'
import { DiscardQuestion, useUnsaved } from './discard.tsx'
import { ExperienceFields } from './experience-fields.tsx'
import classes from './form.module.css'
import { type ImageChoice, ImageField } from './image-field.tsx'
import { labels } from './labels.ts'
import { PublishField } from './publish-field.tsx'
import { BeginsField, TrainingFields } from './time-fields.tsx'
import { useSaving } from './use-saving.ts'
import { blankValues, copyValues, valuesOf } from './values.ts'

/** What the form is for: a new event, one like another, or one that there is. */
export type Subject =
  | { readonly kind: 'new'; readonly day: Day | null }
  | { readonly kind: 'copy' | 'edit'; readonly event: Event }

interface Props {
  /** Null while the form is shut. */
  readonly subject: Subject | null
  readonly close: () => void
  readonly saved: (event: Event) => void
}

const NARROW = '(max-width: 48em)'

function titleOf(subject: Subject | null): string {
  if (subject === null || subject.kind === 'new') return 'New event'
  return subject.kind === 'edit' ? `Edit “${subject.event.title}”` : `Duplicate “${subject.event.title}”`
}

/** Makes an event, or changes one. It is not shut by accident: what was typed is asked about first. */
export function EventForm({ subject, close, saved }: Props) {
  const isNarrow = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false }) ?? false
  const unsaved = useUnsaved(close)
  return (
    <Dialog
      opened={subject !== null}
      onClose={unsaved.askToClose}
      size="lg"
      classNames={{ content: details.scroll ?? '' }}
      fullScreen={isNarrow}
      title={<bdi>{titleOf(subject)}</bdi>}
      closeOnClickOutside={false}
      closeOnEscape={!unsaved.isAsking}
    >
      {subject === null ? null : <Fields subject={subject} saved={saved} unsaved={unsaved} />}
      <DiscardQuestion unsaved={unsaved} />
    </Dialog>
  )
}

interface FieldsProps {
  readonly subject: Subject
  readonly saved: (event: Event) => void
  readonly unsaved: ReturnType<typeof useUnsaved>
}

function Fields({ subject, saved, unsaved }: FieldsProps) {
  const now = useNow()
  const mayPublish = useMayChange('events.publish')
  const [first] = useState(() =>
    subject.kind === 'new'
      ? blankValues(subject.day)
      : subject.kind === 'edit'
        ? valuesOf(subject.event)
        : copyValues(subject.event, now),
  )
  const [values, setValues] = useState(first)
  const [image, setImage] = useState<ImageChoice>({ kind: 'same' })
  const form = useForm({ mode: 'uncontrolled', initialValues: first, onValuesChange: setValues })
  unsaved.watch(() => form.isDirty() || image.kind !== 'same')
  const save = useSaving(subject, first, image)
  const submit = useSubmit(form, labels, async (typed) => {
    const event = await save(typed)
    unsaved.forget()
    saved(event)
  })
  const event = subject.kind === 'new' ? null : subject.event
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
            data={Object.entries(eventTypes).map(([value, label]) => ({ value, label }))}
            key={form.key('eventType')}
            {...form.getInputProps('eventType')}
          />
          <BeginsField form={form} values={values} />
        </Group>
        {values.eventType === 'training' ? <TrainingFields form={form} values={values} /> : null}
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
          present={event?.imageUrl ?? null}
          value={image}
          onChange={setImage}
          error={form.errors.imageDataUrl}
        />
        <ExperienceFields form={form} labels={labels} />
        <PublishField
          value={values.published}
          onChange={(value) => form.setFieldValue('published', value)}
          mayPublish={mayPublish}
        />
        <FormAlert>{submit.alert}</FormAlert>
        <div className={`${details.foot} ${classes.end}`}>
          <Button variant="default" onClick={unsaved.askToClose}>
            Cancel
          </Button>
          <Button type="submit" loading={submit.isBusy}>
            {subject.kind === 'edit' ? 'Save' : values.published === 'true' ? 'Publish' : 'Save as draft'}
          </Button>
        </div>
      </Stack>
    </form>
  )
}
