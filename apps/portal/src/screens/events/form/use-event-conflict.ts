import type { UseFormReturnType } from '@mantine/form'
import { useState } from 'react'
import type { ApiError } from '../../../api/error.ts'
import { formatDateTime } from '../../../format/time.ts'
import {
  type ConflictingField,
  type ConflictSide,
  type OtherChange,
  useEditConflict,
} from '../../../forms/use-edit-conflict.ts'
import { type Event, eventTypeLabels } from '../event-data.ts'
import { type EventValues, toEventValues } from './event-values.ts'
import { labels } from './field-labels.ts'
import type { ImageChoice } from './image-field.tsx'

// The account of the host follows the name.
const { imageDataUrl: imageLabel, hostAccountId: _, ...valueLabels } = labels

const formatPublished = (published: string): string => (published === 'true' ? 'Published' : 'Draft')

function formatEventField(name: keyof EventValues, value: string): string {
  if (name === 'published') return formatPublished(value)
  if (name === 'eventType') return eventTypeLabels[value as keyof typeof eventTypeLabels] ?? value
  const isTime = name === 'scheduledFor' || name === 'trainingStart' || name === 'endsAt'
  return isTime && value !== '' ? formatDateTime(value) : value
}

interface Options {
  readonly form: UseFormReturnType<EventValues>
  readonly image: ImageChoice
  readonly setImage: (image: ImageChoice) => void
  readonly canPublish: boolean
}

/** The fields of an event, and its image, that someone else changed while the user was editing them. */
export function useEventConflict({ form, image, setImage, canPublish }: Options) {
  const conflict = useEditConflict(form, valueLabels, formatEventField)
  const [hostAccounts, setHostAccounts] = useState({ mine: '', theirs: '' })
  const [imageConflict, setImageConflict] = useState<{
    readonly before: Event
    readonly theirs: Event
    readonly mine: ImageChoice
  } | null>(null)

  const valueFields = conflict.fields.map((field) =>
    field.name === 'trainingHost'
      ? {
          ...field,
          choose: (side: ConflictSide) => {
            field.choose(side)
            form.setFieldValue('hostAccountId', hostAccounts[side])
          },
        }
      : field,
  )
  // Only an image that the user has chosen or removed is a conflict.
  const imageField: readonly ConflictingField[] =
    imageConflict && imageConflict.mine.kind !== 'same'
      ? [
          {
            name: 'image',
            label: imageLabel,
            before: describeImage(imageConflict.before),
            theirs: imageConflict.theirs.imageUrl === null ? '' : 'Their image',
            mine: imageConflict.mine.kind === 'new' ? 'Your image' : '',
            chosen: image.kind === 'same' ? 'theirs' : 'mine',
            choose: (side) => setImage(side === 'theirs' ? { kind: 'same' } : imageConflict.mine),
          },
        ]
      : []

  return {
    fields: [...valueFields, ...imageField],
    otherChanges: conflict.otherChanges.filter(
      ({ label }) => imageField.length === 0 || label !== imageLabel,
    ),
    /** The current image, also after someone else changed it; undefined before a conflict. */
    currentImageUrl: imageConflict?.theirs.imageUrl,
    report(before: Event, theirs: Event): ApiError | null {
      const others: OtherChange[] = []
      if (!canPublish && before.published !== theirs.published) {
        form.setFieldValue('published', theirs.published)
        others.push({
          label: labels.published,
          before: formatPublished(before.published),
          after: formatPublished(theirs.published),
        })
      }
      if (before.imageUrl !== theirs.imageUrl) {
        const after = theirs.imageUrl === null ? '' : 'Another image'
        others.push({ label: imageLabel, before: describeImage(before), after })
        setImageConflict({ before, theirs, mine: image })
      }
      const theirHostAccount = theirs.hostAccountId ?? ''
      setHostAccounts({ mine: form.getValues().hostAccountId, theirs: theirHostAccount })
      if (form.getValues().trainingHost === (before.trainingHost ?? ''))
        form.setFieldValue('hostAccountId', theirHostAccount)
      return conflict.report('event', toEventValues(before), toEventValues(theirs), others)
    },
  }
}

const describeImage = ({ imageUrl }: Event): string => (imageUrl === null ? '' : 'The previous image')
