import { Link, useLocation } from '@tanstack/react-router'
import { useWorkspace } from '../../api/me.ts'
import { recordListKinds } from './list-kinds.ts'
import classes from './moderation-tabs.module.css'

const tabs = [
  { path: '', label: 'Players' },
  ...Object.values(recordListKinds).map(({ path, title }) => ({ path, label: title })),
  { path: '/approvals', label: 'Approvals' },
]

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
