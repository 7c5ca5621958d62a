import { Input, SegmentedControl, Text } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { labels } from './field-labels.ts'

interface Props {
  readonly value: string
  readonly onChange: (value: string) => void
  /** Whether the user may publish and unpublish events. */
  readonly canPublish: boolean
}

const options = [
  { value: 'false', label: 'Draft' },
  { value: 'true', label: 'Published' },
]

const describeVisibility = (isPublished: boolean) =>
  isPublished
    ? 'Visible to all members who can view events, and to games and websites through the API.'
    : 'Visible only to members who manage events.'

/** The visibility of an event; read-only, with the reason, without permission to publish. */
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
        <IconLock size={14} aria-hidden /> {value === 'true' ? 'Published' : 'Draft'}. You do not have
        permission to publish or unpublish events.
      </Text>
    )}
    <Text size="xs" c="dimmed" mt={4}>
      {describeVisibility(value === 'true')}
    </Text>
  </Input.Wrapper>
)
