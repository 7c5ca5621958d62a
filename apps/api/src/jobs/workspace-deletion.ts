import { MINUTE_MS, type Ports } from '@reeve/core'
import type { Database } from '@reeve/db'
import { purgeWorkspaces } from '@reeve/workspaces'
import type { LogFields } from '../log-lines.ts'
import type { Job } from './scheduler.ts'

/** Also how soon an interrupted deletion is continued. */
const DELETION_INTERVAL_MS = MINUTE_MS

export interface DeletionLog {
  readonly onWorkspaceDeleted: (fields: LogFields<'workspace deleted'>) => void
}

/** Deletes the workspaces whose deletion can no longer be undone, on one process, starting when the server starts. */
export function createWorkspaceDeletionJob(db: Database, ports: Ports, log: DeletionLog): Job {
  return {
    name: 'workspace-deletion',
    intervalMs: DELETION_INTERVAL_MS,
    runsOn: 'one',
    startsAtOnce: true,
    deletesForGood: true,
    run: (signal) =>
      purgeWorkspaces(db, ports, signal, ({ id, groupName }) =>
        log.onWorkspaceDeleted({ workspace: id, groupName }),
      ),
  }
}
