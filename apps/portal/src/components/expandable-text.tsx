import { Anchor, Text } from '@mantine/core'
import { useLayoutEffect, useRef, useState } from 'react'
import classes from './expandable-text.module.css'

interface Props {
  readonly children: string
  /** Names the text in the accessible name of the button: `the description of Pilots`. */
  readonly label: string
  /** How many lines are shown at first. */
  readonly lines: number
  readonly size?: 'sm' | 'md'
}

/** A multi-line text that is cut after a few lines, with a button that shows the rest. */
export function ExpandableText({ children, label, lines, size = 'md' }: Props) {
  const text = useRef<HTMLParagraphElement>(null)
  const [isLong, setIsLong] = useState(false)
  const [isOpen, setIsOpen] = useState(false)
  // Before the first paint, so that the button does not move what is below it.
  useLayoutEffect(() => {
    const { current } = text
    if (!current || isOpen) return
    const measure = () => setIsLong(current.scrollHeight > current.clientHeight + 1)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(current)
    return () => observer.disconnect()
  }, [isOpen])
  return (
    <>
      <Text
        size={size}
        dir="auto"
        ref={text}
        className={classes.text}
        style={{ '--lines': lines }}
        data-open={isOpen || undefined}
      >
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
    </>
  )
}
