import { Stack, Title } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import classes from './full-page-message.module.css'

/** A screen with only a message, whose title is that of the window too. */
export function FullPageMessage({
  title,
  children,
}: {
  readonly title: string
  readonly children: ReactNode
}) {
  useEffect(() => {
    document.title = `${title} · Reeve`
  }, [title])
  return (
    <Stack component="section" className={classes.message} gap="sm">
      <Title order={1} tabIndex={-1}>
        {title}
      </Title>
      {children}
    </Stack>
  )
}
