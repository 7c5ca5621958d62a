import { Input, SegmentedControl, Text } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { labels } from './field-labels.ts'

interface Props {
  readonly value: string
  readonly onChange: (value: string) => void
  /** Whether the reader may publish events, and take them back. */
  readonly canPublish: boolean
}

const options = [
  { value: 'false', label: 'Draft' },
  { value: 'true', label: 'Published' },
]

const describeVisibility = (isPublished: boolean) =>
  isPublished
    ? 'Everybody here who may read events sees it, and so do games and sites that read them from the API.'
    : 'Only those who manage events see it.'

/** Whether an event is published; locked, with why, for whoever may not. */
export const PublishField = ({ value, onChange, canPublish }: Props) => (
  <Input.Wrapper label={labels.published} labelElement="div">
    {canPublish ? (
      <SegmentedControl
        aria-label={labels.published}
        data={options}
        value={value}
        onChange={onChange}
        fullWidth
        mt={4}
      />
    ) : (
      <Text size="sm" mt={4}>
        <IconLock size={14} aria-hidden /> {value === 'true' ? 'Published' : 'Draft'}. None of your roles may
        publish events or take them back.
      </Text>
    )}
    <Text size="xs" c="dimmed" mt={4}>
      {describeVisibility(value === 'true')}
    </Text>
  </Input.Wrapper>
)
