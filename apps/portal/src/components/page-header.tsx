import { Anchor, Group, Text, Title } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { Link, useRouterState } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { useWorkspaceOrNull } from '../api/me.ts'
import classes from './page-header.module.css'

interface Props {
  /** The one heading of the screen, and its name in the title of the window. */
  readonly title: string
  /** Shown in place of the title where it is more than a text. */
  readonly children?: ReactNode
  readonly description?: ReactNode
  /** Buttons at its side. */
  readonly actions?: ReactNode
  /** What this screen belongs to. */
  readonly back?: { readonly to: string; readonly label: string }
}

/** The address whose heading had the focus last; null until something was shown. */
let lastPathname: string | null = null

/** The head of a screen. It takes the focus when the screen is gone to, so that what is read out begins there. */
export function PageHeader({ title, children, description, actions, back }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  // Where one has arrived, not where one is going: the heading of before is still there then.
  const pathname = useRouterState({ select: (state) => (state.resolvedLocation ?? state.location).pathname })
  const groupName = useWorkspaceOrNull()?.groupName
  useEffect(() => {
    document.title = [title, groupName, 'Reeve'].filter(Boolean).join(' · ')
  }, [title, groupName])
  useEffect(() => {
    // A screen that is one form has its first field focused already.
    const isFieldFocused = document.activeElement?.matches('main :is(input, textarea)') ?? false
    if (lastPathname !== null && lastPathname !== pathname && !isFieldFocused)
      heading.current?.focus({ preventScroll: true })
    lastPathname = pathname
  }, [pathname])
  return (
    <header className={classes.header}>
      {back ? (
        <Anchor component={Link} to={back.to} size="sm" c="dimmed" className={classes.back}>
          <IconArrowLeft size={14} aria-hidden /> {back.label}
        </Anchor>
      ) : null}
      <Group justify="space-between" align="flex-start" gap="sm">
        <div className={classes.text}>
          <Title order={1} ref={heading} tabIndex={-1}>
            {children ?? title}
          </Title>
          {description ? (
            <Text c="dimmed" size="sm" mt={4} component="div">
              {description}
            </Text>
          ) : null}
        </div>
        {actions ? <Group gap="xs">{actions}</Group> : null}
      </Group>
    </header>
  )
}
