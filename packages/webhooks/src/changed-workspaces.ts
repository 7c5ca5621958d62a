import type { Database } from '@reeve/db'

/** The workspaces with changes that were not dispatched yet. */
export type ChangedWorkspaces = ReturnType<typeof subscribeToChanges>

/** Collects the workspaces with webhooks whose data changes, until `stop`. */
export function subscribeToChanges(db: Database) {
  const subscribed = new Set<string>()
  const changed = new Set<string>()
  let notify = () => {}
  const add = (workspaceId: string) => {
    subscribed.add(workspaceId)
    changed.add(workspaceId)
    notify()
  }
  const stopListening = db.onChange(({ kind, workspaceId }) => {
    // A webhook can be the first of its workspace, and a delivery can have been queued.
    if (kind === 'webhook' || subscribed.has(workspaceId)) add(workspaceId)
  })
  const stopRecovery = db.onMissedChanges((isRecovered) => {
    if (isRecovered) for (const id of subscribed) add(id)
  })
  return {
    add,
    /** No webhook of the workspace is active. */
    remove: (workspaceId: string) => subscribed.delete(workspaceId),
    take(): string[] {
      const ids = [...changed]
      changed.clear()
      return ids
    },
    /** Those that were taken and not dispatched are taken again. */
    giveBack(workspaceIds: Iterable<string>): void {
      for (const id of workspaceIds) changed.add(id)
    },
    onChange(listener: () => void): void {
      notify = listener
      if (changed.size > 0) listener()
    },
    stop(): void {
      stopListening()
      stopRecovery()
    },
  }
}
