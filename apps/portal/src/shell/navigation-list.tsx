import { Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { InboxCount } from './inbox-count.tsx'
import type { NavigationSection } from './navigation.ts'
import classes from './navigation-list.module.css'

interface Props {
  readonly sections: readonly NavigationSection[]
  readonly onNavigate?: () => void
}

/** The navigation items, grouped by section. */
export const NavigationList = ({ sections, onNavigate }: Props) => (
  <Stack gap="md">
    {sections.map(({ title, items }) => (
      <div key={title}>
        {title ? (
          <Text component="h2" className={classes.title}>
            {title}
          </Text>
        ) : null}
        {items.map(({ path, label, icon: Icon, isExact = false, hasCount = false }) => (
          <Link
            key={path}
            to={path}
            activeOptions={{ exact: isExact, includeSearch: false }}
            className={classes.link}
            onClick={() => onNavigate?.()}
          >
            <Icon size={18} stroke={1.7} aria-hidden />
            {label}
            {hasCount ? <InboxCount className={classes.count} /> : null}
          </Link>
        ))}
      </div>
    ))}
  </Stack>
)
