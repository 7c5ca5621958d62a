import { Link, useLocation } from '@tanstack/react-router'
import { useWorkspace } from '../../api/me.ts'
import classes from './tabs.module.css'

const places = [
  { path: '', label: 'Players' },
  { path: '/bans', label: 'Bans in force' },
  { path: '/history', label: 'Ban history' },
  { path: '/records', label: 'All records' },
] as const

/** On a phone not all of them are in sight. */
const shown = (tab: HTMLElement | null) => tab?.scrollIntoView({ block: 'nearest', inline: 'nearest' })

/** What there is to moderate with, side by side. */
export function ModerationTabs() {
  const { id } = useWorkspace()
  const { pathname } = useLocation()
  const base = `/w/${id}/moderation`
  const here = pathname.replace(/\/$/, '').slice(base.length)
  return (
    <nav aria-label="Moderation" className={classes.tabs}>
      {places.map(({ path, label }) => (
        <Link
          key={path}
          to={`${base}${path}`}
          className={classes.tab}
          activeOptions={{ exact: true, includeSearch: false }}
          ref={path === here ? shown : undefined}
        >
          {label}
        </Link>
      ))}
    </nav>
  )
}
