import { Text, UnstyledButton } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { Link, useMatchRoute } from '@tanstack/react-router'
import classes from './bottom-bar.module.css'
import { InboxCount } from './inbox-count.tsx'
import type { NavigationSection } from './navigation.ts'

const MAX_ITEMS = 4

interface Props {
  readonly sections: readonly NavigationSection[]
  readonly onMore: () => void
}

/** The navigation on a phone: the first items, and the rest under More. */
export function BottomBar({ sections, onMore }: Props) {
  const items = sections.flatMap((section) => section.items)
  const matchRoute = useMatchRoute()
  const isMoreCurrent = items
    .slice(MAX_ITEMS)
    .some(({ path, isExact = false }) => matchRoute({ to: path, fuzzy: !isExact }) !== false)
  return (
    <nav className={classes.bar} aria-label="Main sections">
      {items.slice(0, MAX_ITEMS).map((item) => (
        <Link
          key={item.path}
          to={item.path}
          className={classes.item}
          activeOptions={{ exact: item.isExact ?? false, includeSearch: false }}
        >
          <item.icon size={22} stroke={1.7} aria-hidden />
          <Text component="span" className={classes.label}>
            {item.label}
          </Text>
          {item.hasCount ? <InboxCount className={classes.count} /> : null}
        </Link>
      ))}
      {items.length > MAX_ITEMS ? (
        <UnstyledButton
          className={classes.item}
          onClick={onMore}
          aria-haspopup="dialog"
          data-current={isMoreCurrent || undefined}
        >
          <IconDots size={22} stroke={1.7} aria-hidden />
          <Text component="span" className={classes.label}>
            More
          </Text>
        </UnstyledButton>
      ) : null}
    </nav>
  )
}
