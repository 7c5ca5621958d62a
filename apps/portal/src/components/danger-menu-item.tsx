import { Menu, type MenuItemProps } from '@mantine/core'
import type { ComponentPropsWithoutRef } from 'react'

type Props = MenuItemProps & Omit<ComponentPropsWithoutRef<'button'>, keyof MenuItemProps>

/** An item of a menu that takes something away, in a red that can be read on a menu in the dark, too. */
export const DangerMenuItem = (props: Props) => <Menu.Item {...props} c="var(--reeve-danger)" />
