import { Anchor, Text } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import classes from './departments.module.css'

interface Props {
  readonly children: string
  /** Names the text in the accessible name of the button: `the description of Pilots`. */
  readonly label: string
}

/** A multi-line text that is cut after a few lines, with a button that shows the rest. */
export function ExpandableText({ children, label }: Props) {
  const text = useRef<HTMLParagraphElement>(null)
  const [isLong, setIsLong] = useState(false)
  const [isOpen, setIsOpen] = useState(false)
  useEffect(() => {
    const { current } = text
    if (!current || isOpen) return
    const observer = new ResizeObserver(() => setIsLong(current.scrollHeight > current.clientHeight + 1))
    observer.observe(current)
    return () => observer.disconnect()
  }, [isOpen])
  return (
    <div className={classes.description}>
      <Text size="sm" dir="auto" ref={text} className={classes.clamped} data-open={isOpen || undefined}>
        {children}
      </Text>
      {isLong ? (
        <Anchor
          component="button"
          type="button"
          size="sm"
          underline="always"
          aria-label={`${isOpen ? 'Show less' : 'Show all'} of ${label}`}
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
        >
          {isOpen ? 'Show less' : 'Show all'}
        </Anchor>
      ) : null}
    </div>
  )
}
