import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useWorkspace } from '../../api/me.ts'
import { ErrorState, LoadingRows } from '../../components/empty-error-loading.tsx'
import classes from './list.module.css'
import { recordsQuery } from './queries.ts'
import { RecordRow } from './record-row.tsx'

const LATEST_LIMIT = 10

export const latestRecordsQuery = (workspaceId: string) =>
  recordsQuery(workspaceId, { limit: String(LATEST_LIMIT) })

/** The newest records of the workspace. */
export function LatestRecords({ empty }: { readonly empty: ReactNode }) {
  const { id: workspaceId } = useWorkspace()
  const pages = useInfiniteQuery(latestRecordsQuery(workspaceId))
  if (pages.isPending) return <LoadingRows rows={LATEST_LIMIT / 2} />
  if (!pages.data) return <ErrorState error={pages.error} retry={() => void pages.refetch()} />
  const records = pages.data.pages[0]?.records ?? []
  if (records.length === 0) return empty
  return (
    <ul className={classes.list} aria-label="Latest cases">
      {records.map((record) => (
        <li key={record.id}>
          <RecordRow record={record} />
        </li>
      ))}
    </ul>
  )
}
