import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { isUnfinished, type Job, jobsQuery } from '../../../api/jobs.ts'
import { notifyError, notifySuccess } from '../../../components/toast.tsx'
import { useNow } from '../../../format/use-now.ts'
import { watchJob } from './watch-job.ts'
import { downloadArchive, prepareDownload, type ReadyArchive } from './workspace-data.ts'

/** How long a prepared file is offered: a little less than the hour for which the server keeps it available. */
const PREPARED_MS = 59 * 60 * 1000

interface ArchiveDownload {
  /** The job that prepares the file. */
  readonly job: Job | null
  /** Whether the file is prepared. */
  readonly isPrepared: boolean
  readonly isBusy: boolean
  /** Downloads the file; prepares it before, if necessary. */
  readonly start: () => Promise<void>
}

/** The download of an archive. */
export function useDownload(archive: ReadyArchive): ArchiveDownload {
  const client = useQueryClient()
  const now = useNow()
  const [isBusy, setIsBusy] = useState(false)
  const { data = [] } = useQuery(jobsQuery(archive.workspaceId))
  const jobs = data.filter(({ kind, archiveId }) => kind === 'download' && archiveId === archive.id)
  const isPrepared = jobs.some(
    ({ state, finishedAt }) => state === 'succeeded' && now - Date.parse(finishedAt ?? '') < PREPARED_MS,
  )
  const screen = location.pathname
  const prepare = async () => {
    watchJob(client, await prepareDownload(archive), async () => {
      // Who has gone elsewhere meanwhile decides when to save the file.
      if (location.pathname === screen) await downloadArchive(archive)
      else
        notifySuccess('The archive can be downloaded.', {
          label: 'Save',
          run: () => downloadArchive(archive),
        })
    })
  }
  return {
    job: jobs.find(isUnfinished) ?? null,
    isPrepared,
    isBusy,
    async start() {
      setIsBusy(true)
      await (isPrepared ? downloadArchive(archive) : prepare()).catch(notifyError)
      setIsBusy(false)
    },
  }
}
