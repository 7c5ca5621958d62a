import type { ReactNode } from 'react'
import { useWorkspace } from '../../api/me.ts'
import { ErrorState, LoadingRows } from '../../components/states.tsx'
import { useEntries } from './data.ts'
import { EntryRow } from './entry-row.tsx'
import classes from './found-players.module.css'

const HOW_MANY = 10

/** The newest records of all: what goes on right now. */
export function LatestEntries({ empty }: { readonly empty: ReactNode }) {
  const { id: workspaceId } = useWorkspace()
  const pages = useEntries(workspaceId, { limit: String(HOW_MANY) })
  if (pages.isPending) return <LoadingRows rows={HOW_MANY / 2} />
  if (!pages.data) return <ErrorState error={pages.error} retry={() => void pages.refetch()} />
  const entries = pages.data.pages[0]?.entries ?? []
  if (entries.length === 0) return empty
  return (
    <ul className={classes.list} aria-label="Latest records">
      {entries.map((entry) => (
        <li key={entry.id}>
          <EntryRow entry={entry} />
        </li>
      ))}
    </ul>
  )
}
