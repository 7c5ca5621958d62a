import { Anchor, Group, Text, Title } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { Link, useRouterState } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { useWorkspaceOrNull } from '../api/me.ts'
import classes from './page-header.module.css'

interface Props {
  /** The heading of the screen and the window title. */
  readonly title: string
  /** Replaces the heading's text. */
  readonly children?: ReactNode
  readonly description?: ReactNode
  /** Buttons beside the heading. */
  readonly actions?: ReactNode
  /** A link to the parent screen. */
  readonly back?: { readonly to: string; readonly label: string }
}

/** The path whose heading was focused last; null before the first screen. */
let lastPathname: string | null = null

/** The header of a screen. Its heading takes the focus on navigation, so that screen readers start there. */
export function PageHeader({ title, children, description, actions, back }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  // The resolved location: during a navigation the previous heading is still shown.
  const pathname = useRouterState({ select: (state) => (state.resolvedLocation ?? state.location).pathname })
  const groupName = useWorkspaceOrNull()?.groupName
  useEffect(() => {
    document.title = [title, groupName, 'Reeve'].filter(Boolean).join(' · ')
  }, [title, groupName])
  useEffect(() => {
    // A form screen focuses its first field instead, and a link to a section that section.
    const { activeElement } = document
    const isElsewhere =
      activeElement?.matches('main :is(input, textarea)') ||
      (activeElement?.id && location.hash === `#${activeElement.id}`)
    if (lastPathname !== null && lastPathname !== pathname && !isElsewhere)
      heading.current?.focus({ preventScroll: true })
    lastPathname = pathname
  }, [pathname])
  return (
    <header className={classes.header}>
      {back ? (
        <Anchor
          component={Link}
          to={back.to}
          size="sm"
          c="dimmed"
          className={classes.back}
          data-tap
          data-no-print
        >
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
