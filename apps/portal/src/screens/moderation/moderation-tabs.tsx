import { Link, useLocation } from '@tanstack/react-router'
import { useWorkspace } from '../../api/me.ts'
import classes from './moderation-tabs.module.css'

const tabs = [
  { path: '', label: 'Players' },
  { path: '/bans', label: 'Active bans' },
  { path: '/history', label: 'Ban history' },
  { path: '/records', label: 'All cases' },
] as const

/** Not all tabs fit a phone. */
const scrollTabIntoView = (tab: HTMLElement | null) =>
  tab?.scrollIntoView({ block: 'nearest', inline: 'nearest' })

/** Links between the moderation screens. */
export function ModerationTabs() {
  const { id } = useWorkspace()
  const { pathname } = useLocation()
  const base = `/w/${id}/moderation`
  const currentPath = pathname.replace(/\/$/, '').slice(base.length)
  return (
    <nav aria-label="Moderation" className={classes.tabs}>
      {tabs.map(({ path, label }) => (
        <Link
          key={path}
          to={`${base}${path}`}
          className={classes.tab}
          activeOptions={{ exact: true, includeSearch: false }}
          ref={path === currentPath ? scrollTabIntoView : undefined}
        >
          {label}
        </Link>
      ))}
    </nav>
  )
}
