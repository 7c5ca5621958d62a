import { Group, Paper, type PaperProps, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './card.module.css'

interface Props extends PaperProps {
  readonly title?: string
  /** For links to this section. */
  readonly id?: string
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** A section of a screen in a bordered box. */
export const Card = ({ title, actions, children, ...paperProps }: Props) => (
  <Paper component="section" withBorder className={classes.card} {...paperProps}>
    {title || actions ? (
      <Group justify="space-between" mb="sm" gap="xs">
        {title ? <Title order={2}>{title}</Title> : null}
        {actions}
      </Group>
    ) : null}
    {children}
  </Paper>
)
