import { Menu, type MenuItemProps } from '@mantine/core'
import type { ComponentPropsWithoutRef } from 'react'

type Props = MenuItemProps & Omit<ComponentPropsWithoutRef<'button'>, keyof MenuItemProps>

/** A destructive menu item, in a red with enough contrast in dark mode. */
export const DangerMenuItem = (props: Props) => <Menu.Item {...props} c="var(--reeve-danger)" />
