import { Button, type ButtonProps, type ElementProps } from '@mantine/core'

/** A button inside a row or beside a heading. */
export const SmallButton = (props: ButtonProps & ElementProps<'button', keyof ButtonProps>) => (
  <Button variant="default" size="compact-md" fz="sm" {...props} />
)
