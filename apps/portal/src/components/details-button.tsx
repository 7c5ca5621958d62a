import { Button } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import classes from './details-button.module.css'

interface Props {
  /** What the details are of, for screen readers. */
  readonly label: string
  /** The word beside the arrow on wide screens; none without. */
  readonly word?: string
  /** The id of the element with the details, which exists while they are open. */
  readonly controls: string
  readonly isOpen: boolean
  readonly toggle: () => void
}

/** Shows or hides the details of a row. */
export function DetailsButton({ label, word, controls, isOpen, toggle }: Props) {
  return (
    <Button
      variant="subtle"
      color="gray"
      size="sm"
      px="xs"
      onClick={toggle}
      aria-expanded={isOpen}
      aria-controls={isOpen ? controls : undefined}
      aria-label={label}
      rightSection={
        <IconChevronDown size={16} aria-hidden className={classes.chevron} data-open={isOpen || undefined} />
      }
    >
      {word === undefined ? null : <span className={classes.wideOnly}>{word}</span>}
    </Button>
  )
}
