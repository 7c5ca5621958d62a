import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { api, ifMatch, take } from '../../api/client.ts'
import { ApiError } from '../../api/error.ts'
import { useWorkspace } from '../../api/me.ts'
import { type Department, departmentsKey, isStale, orDeleted, readAgain } from './department-data.ts'
import { isSame, type Staff, staffOf, together } from './staff.ts'

const MEANWHILE =
  'Somebody else changed who is in this department meanwhile. What they did and what you did stand together here now: look at it, and save again.'

/** What was thrown, or who stands in the way by name: the answer knows ids alone. */
function named(error: unknown, { people }: Staff): unknown {
  if (!(error instanceof ApiError)) return error
  const problem = error.details.find(({ field }) => field === 'accountIds')
  const stranger = people.find(({ accountId }) => problem?.message.includes(accountId))
  if (!problem) return error
  const sentence = stranger
    ? `${stranger.username} is no member of this workspace any more. Take them out, and save again.`
    : `The members ${problem.message}.`
  return new ApiError(error.status, error.code, sentence)
}

/**
 * Saves who is in a department.
 * @param show puts what somebody else made of it meanwhile, together with what is here, before the reader
 */
export function useSaveStaff(department: Department, show: (staff: Staff) => void) {
  const client = useQueryClient()
  const { id: workspaceId } = useWorkspace()
  const known = useRef(department)

  return async function save(staff: Staff): Promise<void> {
    const { id, version } = known.current
    const body = {
      workspaceId,
      id,
      accountIds: staff.people.map(({ accountId }) => accountId).join(','),
      leadId: staff.leadId,
    }
    try {
      await take(api.POST('/portal/api/departments/members', { body, headers: ifMatch(version) }))
    } catch (error) {
      if (!isStale(error)) throw named(orDeleted(error), staff)
      const before = staffOf(known.current)
      known.current = await readAgain(client, workspaceId, id)
      const theirs = staffOf(known.current)
      // Its name changed, or the like: that is in nobody's way.
      if (isSame(before, theirs)) return save(staff)
      show(together(before, staff, theirs))
      throw new ApiError(412, 'version_mismatch', MEANWHILE)
    }
    await client.invalidateQueries({ queryKey: departmentsKey(workspaceId) })
  }
}
