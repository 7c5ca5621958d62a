import { Stack, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './full-page-message.module.css'

/** A screen with only a message. */
export const FullPageMessage = ({
  title,
  children,
}: {
  readonly title: string
  readonly children: ReactNode
}) => (
  <Stack component="section" className={classes.message} gap="sm">
    <Title order={1} tabIndex={-1}>
      {title}
    </Title>
    {children}
  </Stack>
)
