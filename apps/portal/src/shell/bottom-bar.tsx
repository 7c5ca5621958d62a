import { Text, UnstyledButton } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import classes from './bottom-bar.module.css'
import type { Section } from './navigation.ts'

const PLACES = 4

interface Props {
  readonly sections: readonly Section[]
  readonly onMore: () => void
}

/** On a phone: the first places within reach of a thumb, and the rest behind one more. */
export function BottomBar({ sections, onMore }: Props) {
  const places = sections.flatMap((section) => section.places)
  return (
    <nav className={classes.bar} aria-label="Main sections">
      {places.slice(0, PLACES).map((place) => (
        <Link
          key={place.path}
          to={place.path}
          className={classes.place}
          activeOptions={{ exact: place.isExact ?? false, includeSearch: false }}
        >
          <place.icon size={22} stroke={1.7} aria-hidden />
          <Text component="span" className={classes.label}>
            {place.label}
          </Text>
        </Link>
      ))}
      {places.length > PLACES ? (
        <UnstyledButton className={classes.place} onClick={onMore} aria-haspopup="dialog">
          <IconDots size={22} stroke={1.7} aria-hidden />
          <Text component="span" className={classes.label}>
            More
          </Text>
        </UnstyledButton>
      ) : null}
    </nav>
  )
}
