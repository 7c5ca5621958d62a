import { Text, UnstyledButton } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconDots } from '@tabler/icons-react'
import { Link, useMatchRoute } from '@tanstack/react-router'
import classes from './bottom-bar.module.css'
import { InboxCount } from './inbox-count.tsx'
import type { NavigationSection } from './navigation.ts'

const MAX_ITEMS = 4
/** With large text, a longer label would be broken into parts. */
const MAX_LARGE_ITEMS = 2

interface Props {
  readonly sections: readonly NavigationSection[]
  readonly onMore: () => void
}

/** The navigation on a phone: the first items, and the rest under More. */
export function BottomBar({ sections, onMore }: Props) {
  const candidates = sections.flatMap(({ items, isOnlyUnderMore }) => (isOnlyUnderMore ? [] : items))
  const isLarge = useMediaQuery('(max-width: 19.9em)', false, { getInitialValueInEffect: false })
  const maxItems = isLarge ? MAX_LARGE_ITEMS : MAX_ITEMS
  const items = candidates.slice(0, maxItems)
  const otherItems = sections.flatMap((section) => section.items).filter((item) => !items.includes(item))
  const matchRoute = useMatchRoute()
  const isMoreCurrent = otherItems.some(
    ({ path, isExact = false }) => matchRoute({ to: path, fuzzy: !isExact }) !== false,
  )
  return (
    <nav className={classes.bar} aria-label="Main sections">
      {items.map((item) => (
        <Link
          key={item.path}
          to={item.path}
          className={classes.item}
          activeOptions={{ exact: item.isExact ?? false, includeSearch: false }}
        >
          <item.icon size={22} stroke={1.7} aria-hidden />
          <Text component="span" className={classes.label}>
            {item.shortLabel ?? item.label}
          </Text>
          {item.hasCount ? <InboxCount className={classes.count} /> : null}
        </Link>
      ))}
      {otherItems.length > 0 ? (
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
          {otherItems.some(({ hasCount }) => hasCount) ? <InboxCount className={classes.count} /> : null}
        </UnstyledButton>
      ) : null}
    </nav>
  )
}
