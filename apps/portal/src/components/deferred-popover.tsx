import type { PopoverDropdownProps, PopoverTargetProps } from '@mantine/core'
import { useId, useMergedRef } from '@mantine/hooks'
import { cloneElement, createContext, type ReactElement, type Ref, use, useRef, useState } from 'react'
import { loadOnOpen } from './load-on-open.tsx'
import type { ControlledPopoverProps, PopoverState } from './popover-content.tsx'

const loadContent = () => import('./popover-content.tsx')
const PopoverContent = loadOnOpen(
  async () => (await loadContent()).PopoverContent,
  ({ popover }) => popover.opened,
  ({ popover }) => popover.onChange?.(false),
)

/** Loads the code that places popovers before the first one. */
export const preloadPopovers = (): void => void loadContent().catch(() => null)

const PopoverContext = createContext<PopoverState | null>(null)

function usePopoverState(): PopoverState {
  const state = use(PopoverContext)
  if (!state) throw new Error('a part of a popover is outside of one')
  return state
}

/**
 * Mantine's `Popover`, whose code is loaded when one opens: to place it takes more code than most screens have. The build puts
 * it into menus and lists of options as well. Its target is an element that does not change.
 */
export function Popover({ children, ...props }: ControlledPopoverProps) {
  const id = useId(props.id)
  const target = useRef<HTMLElement>(null)
  return <PopoverContext value={{ popover: { ...props, id }, target }}>{children}</PopoverContext>
}

type TargetProps = Omit<PopoverTargetProps, 'children'> & {
  readonly children: ReactElement
  readonly ref?: Ref<HTMLElement>
}

function PopoverTarget({ children, refProp = 'ref', popupType = 'dialog', ref, ...others }: TargetProps) {
  const {
    popover: { id, opened, withRoles = true },
    target,
  } = usePopoverState()
  const { ref: childRef } = children.props as { readonly ref?: Ref<HTMLElement> }
  const mergedRef = useMergedRef(target, childRef, ref)
  const roles = {
    id,
    'aria-haspopup': popupType,
    'aria-expanded': opened,
    'aria-controls': opened ? `${id}-dropdown` : undefined,
  }
  return cloneElement(children, { ...others, ...(withRoles && roles), [refProp]: mergedRef } as object)
}

function PopoverDropdown(dropdown: PopoverDropdownProps) {
  const state = usePopoverState()
  const [wasOpened, setWasOpened] = useState(state.popover.opened)
  if (state.popover.opened && !wasOpened) setWasOpened(true)
  return wasOpened ? <PopoverContent {...state} dropdown={dropdown} /> : null
}

Popover.Target = PopoverTarget
Popover.Dropdown = PopoverDropdown
