import { Anchor, Paper, Text, Title } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import classes from './auth-layout.module.css'

interface Props {
  readonly title: string
  readonly description?: string
  readonly children: ReactNode
}

/** The layout of signed-out screens: one centered card. */
export function AuthLayout({ title, description, children }: Props) {
  useEffect(() => {
    document.title = title.includes('Reeve') ? title : `${title} · Reeve`
  }, [title])
  return (
    <div className={classes.layout}>
      <header>
        <Text component="span" className={classes.wordmark}>
          Reeve
        </Text>
      </header>
      <main>
        <Paper withBorder className={classes.card}>
          <Title order={1} tabIndex={-1}>
            {title}
          </Title>
          {description ? (
            <Text c="dimmed" mt="xs">
              {description}
            </Text>
          ) : null}
          {children}
        </Paper>
      </main>
      <footer>
        <Anchor href="/docs" size="sm" c="dimmed" underline="always" data-tap>
          API reference
        </Anchor>
      </footer>
    </div>
  )
}
