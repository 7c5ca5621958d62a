import { hasErrorCode, MAX_UNAVAILABLE_IN_A_ROW } from '@reeve/core'
import type { ChangedWorkspaces } from '../changed-workspaces.ts'
import type { WorkspaceWork } from '../workspace-work.ts'
import { type DispatchContext, dispatchEvents } from './dispatch.ts'

/** The end of the dispatch of a workspace. */
interface Ended {
  readonly workspaceId: string
  readonly result: PromiseSettledResult<void>
  /** Whether the others did not wait for it. */
  readonly isLate: boolean
}

/** One that was not available, with its error. */
interface Unavailable extends Pick<Ended, 'workspaceId' | 'isLate'> {
  readonly error: Error
}

/**
 * Creates what dispatches the changes of all workspaces, a round at a time.
 * @param onFailure receives the first error of a round
 */
export function createChangeDispatcher(
  context: DispatchContext,
  work: WorkspaceWork,
  onFailure: (error: unknown) => void,
) {
  /** Late ones that have ended since the last round. */
  const late: Ended[] = []
  /** Those that have changed while their work goes on. */
  const heldBack = new Set<string>()

  /** @returns null if it goes on */
  async function dispatch(
    workspaceId: string,
    changes: ChangedWorkspaces,
    signal: AbortSignal,
  ): Promise<Ended | null> {
    const run = async () => {
      if (!(await dispatchEvents(context, workspaceId, signal))) changes.remove(workspaceId)
    }
    const result = await work.run(workspaceId, run, async (lateResult) => {
      late.push({ workspaceId, result: lateResult, isLate: true })
    })
    return result && { workspaceId, result, isLate: false }
  }

  /**
   * Creates the deliveries of all workspaces with changes. The first one that fails is reported; it is tried again with the next poll, so
   * that one whose statements always time out does not delay the others each time.
   * @throws AppError `unavailable` after the other workspaces, or after several in a row; those that failed like that, without a success
   * after them, or were not reached remain changed
   */
  return async function dispatchChanges(changes: ChangedWorkspaces, signal: AbortSignal): Promise<void> {
    let failure: Error | null = null
    /** The last ones in a row that were not available. */
    let unavailable: Unavailable[] = []
    const fail = (workspaceId: string, cause: unknown) => {
      failure ??= new Error(`the webhook events of workspace ${workspaceId} failed`, { cause })
    }
    const end = ({ workspaceId, result, isLate }: Ended) => {
      if (result.status === 'rejected') {
        const error: unknown = result.reason
        if (hasErrorCode(error, 'unavailable')) {
          unavailable.push({ workspaceId, error, isLate })
          return
        }
        fail(workspaceId, error)
      }
      // The database is available, but not for those before.
      for (const one of unavailable) fail(one.workspaceId, one.error)
      unavailable = []
    }
    // A late one has kept nobody waiting, so nobody has to wait before it is tried again.
    const listInTime = () => unavailable.filter(({ isLate }) => !isLate)
    for (const ended of late.splice(0)) end(ended)
    const waiting = new Set([...heldBack, ...changes.take()])
    heldBack.clear()
    for (const workspaceId of [...waiting]) {
      if (listInTime().length === MAX_UNAVAILABLE_IN_A_ROW) break
      waiting.delete(workspaceId)
      if (work.isRunning(workspaceId)) {
        heldBack.add(workspaceId)
        continue
      }
      const ended = await dispatch(workspaceId, changes, signal)
      if (ended !== null) end(ended)
    }
    // Those that were not available move to the end, in case they are slow and not the database.
    changes.giveBack([...waiting, ...unavailable.map(({ workspaceId }) => workspaceId)])
    if (failure !== null) onFailure(failure)
    const [first] = listInTime()
    if (first !== undefined) throw first.error
  }
}
