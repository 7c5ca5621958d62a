import { Popover, type PopoverDropdownProps, type PopoverProps } from '@mantine/core'
import { useMounted } from '@mantine/hooks'
import { type Ref, type RefObject, useImperativeHandle } from 'react'

export type ControlledPopoverProps = Omit<PopoverProps, 'opened' | 'defaultOpened'> & {
  readonly opened: boolean
}

/** What a popover and its parts have in common. */
export interface PopoverState {
  readonly popover: Omit<ControlledPopoverProps, 'children'>
  readonly target: RefObject<HTMLElement | null>
}

/** Stands for the element that the popover belongs to, which is rendered elsewhere. */
function ExistingTarget(props: {
  readonly target: RefObject<HTMLElement | null>
  readonly ref?: Ref<HTMLElement | null>
}): null {
  const { target, ref } = props
  useImperativeHandle<HTMLElement | null, HTMLElement | null>(ref, () => target.current)
  return null
}

interface Props extends PopoverState {
  readonly dropdown: PopoverDropdownProps
}

/** A popover without its target. It opens after it was mounted, because only then it remembers what to give the focus back to. */
export function PopoverContent({ popover, target, dropdown }: Props) {
  const isMounted = useMounted()
  return (
    <Popover {...popover} opened={popover.opened && isMounted}>
      <Popover.Target>
        <ExistingTarget target={target} />
      </Popover.Target>
      <Popover.Dropdown {...dropdown} />
    </Popover>
  )
}
