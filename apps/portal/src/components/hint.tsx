import {
  cloneElement,
  type KeyboardEvent,
  type PointerEvent,
  type ReactElement,
  type ReactNode,
  useState,
} from 'react'
import { Popover } from './deferred-popover.tsx'
import classes from './hint.module.css'

interface Props {
  /** Nothing is shown without it. */
  readonly text: ReactNode
  /** What it is for. It gets the handlers. */
  readonly children: ReactElement
}

/**
 * A text next to an action while the pointer is on it or it has the focus, and after it was tapped. Menus load the popover
 * that shows it as well, while Mantine's tooltip would be loaded for it alone.
 */
export function Hint({ text, children }: Props) {
  const [isOpen, setIsOpen] = useState(false)
  const open = () => setIsOpen(true)
  const close = () => setIsOpen(false)
  return (
    <Popover
      opened={isOpen && text !== undefined && text !== null}
      // A tap elsewhere closes it, because not every browser focuses a button that is tapped.
      onChange={setIsOpen}
      position="top"
      offset={5}
      withRoles={false}
      transitionProps={{ duration: 100 }}
    >
      <Popover.Target>
        {cloneElement(children, {
          onPointerEnter: ({ pointerType }: PointerEvent) => pointerType !== 'touch' && open(),
          onPointerLeave: ({ pointerType }: PointerEvent) => pointerType !== 'touch' && close(),
          onTouchStart: open,
          onFocus: open,
          onBlur: close,
          onKeyDown: ({ key }: KeyboardEvent) => key === 'Escape' && close(),
        } as object)}
      </Popover.Target>
      <Popover.Dropdown role="tooltip" className={classes.hint}>
        {text}
      </Popover.Dropdown>
    </Popover>
  )
}
