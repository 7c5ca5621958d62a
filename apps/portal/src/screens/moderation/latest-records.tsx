import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useWorkspace } from '../../api/me.ts'
import { ErrorState, LoadingRows } from '../../components/empty-error-loading.tsx'
import { VirtualList } from '../../components/virtual-list.tsx'
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
    <VirtualList
      rows={records}
      rowKey={({ id }) => id}
      label="Latest cases"
      className={classes.list}
      hasMore={false}
    >
      {(record) => <RecordRow record={record} />}
    </VirtualList>
  )
}
