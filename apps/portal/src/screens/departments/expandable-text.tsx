import { Anchor, Text } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import classes from './departments.module.css'

interface Props {
  readonly children: string
  /** What the text says, for those who hear the button: `what Pilots is for`. */
  readonly label: string
}

/** A text of people's own lines, of which the first are shown; the others when they are asked for. */
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
