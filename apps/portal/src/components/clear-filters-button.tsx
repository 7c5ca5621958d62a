import { Button, type ButtonProps } from '@mantine/core'
import { IconX } from '@tabler/icons-react'

interface Props extends Pick<ButtonProps, 'className' | 'size'> {
  readonly onClick: () => void
}

/** Removes the filters of a list. */
export const ClearFiltersButton = (props: Props) => (
  <Button variant="subtle" color="gray" leftSection={<IconX size={14} aria-hidden />} {...props}>
    Clear filters
  </Button>
)
