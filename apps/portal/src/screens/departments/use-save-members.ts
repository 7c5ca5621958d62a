import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { api, ifMatch, unwrap } from '../../api/client.ts'
import { ApiError, isVersionMismatch } from '../../api/error.ts'
import { useWorkspace } from '../../api/me.ts'
import { type Department, departmentsKey, mapNotFound, refetchDepartment } from './department-data.ts'
import {
  isSameSelection,
  type MemberSelection,
  mergeSelections,
  toMemberSelection,
} from './member-selection.ts'

const CONFLICT_MESSAGE =
  'Someone else changed the members of this department while you were editing. The list now combines their changes and yours. Review it and save again.'

/** Names the member that caused the error: the response only has the id. */
function explainMemberError(error: unknown, { people }: MemberSelection): unknown {
  if (!(error instanceof ApiError)) return error
  const problem = error.details.find(({ field }) => field === 'accountIds')
  const formerMember = people.find(({ accountId }) => problem?.message.includes(accountId))
  if (!problem) return error
  const message = formerMember
    ? `${formerMember.username} is no longer a member of this workspace. Remove them and save again.`
    : `The members ${problem.message}.`
  return new ApiError(error.status, error.code, message)
}

/**
 * Saves the members of a department. The function returns whether there was something to save.
 * @param onConflict receives the selection merged with the changes by someone else
 */
export function useSaveMembers(department: Department, onConflict: (selection: MemberSelection) => void) {
  const client = useQueryClient()
  const { id: workspaceId } = useWorkspace()
  const latest = useRef(department)

  return async function save(selection: MemberSelection): Promise<boolean> {
    const base = toMemberSelection(latest.current)
    if (isSameSelection(selection, base)) return false
    const { id, version } = latest.current
    const body = {
      workspaceId,
      id,
      accountIds: selection.people.map(({ accountId }) => accountId).join(','),
      leadId: selection.leadId,
    }
    try {
      await unwrap(api.POST('/portal/api/departments/members', { body, headers: ifMatch(version) }))
    } catch (error) {
      if (!isVersionMismatch(error)) throw explainMemberError(mapNotFound(error), selection)
      latest.current = await refetchDepartment(client, workspaceId, id)
      const remote = toMemberSelection(latest.current)
      // Only something else changed, such as the name: retry.
      if (isSameSelection(base, remote)) return save(selection)
      onConflict(mergeSelections(base, selection, remote))
      throw new ApiError(412, 'version_mismatch', CONFLICT_MESSAGE)
    }
    await client.invalidateQueries({ queryKey: departmentsKey(workspaceId) })
    return true
  }
}
