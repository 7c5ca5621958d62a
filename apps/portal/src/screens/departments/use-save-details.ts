import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { api, ifMatch, take } from '../../api/client.ts'
import { ApiError } from '../../api/error.ts'
import { useWorkspace } from '../../api/me.ts'
import {
  type Department,
  departmentsKey,
  holderOf,
  isStale,
  orDeleted,
  readAgain,
} from './department-data.ts'
import { type Details, details, detailsOf, differing, meanwhile, written } from './details.ts'

/**
 * Saves what is typed of a department. Only what was changed is written, so that what somebody else changed meanwhile
 * stays; what both changed is told, and kept as it was typed.
 * @param department null for a new one
 * @param show puts what somebody else changed into the fields
 * @returns what saves: the department as it is then; null where there was nothing to save
 */
export function useSaveDetails(department: Department | null, show: (theirs: Partial<Details>) => void) {
  const client = useQueryClient()
  const { id: workspaceId } = useWorkspace()
  const known = useRef(department)

  async function write(values: Details) {
    if (!known.current) {
      const filled = details.filter((detail) => detail === 'name' || values[detail] !== '')
      const body = { workspaceId, ...written(values, filled) }
      return (await take(api.POST('/api/departments', { body }))).department
    }
    const { id, version } = known.current
    const mine = differing(values, detailsOf(known.current))
    if (mine.length === 0) return null
    const body = { workspaceId, id, ...written(values, mine) }
    return (await take(api.PATCH('/api/departments', { body, headers: ifMatch(version) }))).department
  }

  /** Takes over what somebody else changed. @throws ApiError that says so, where anything of the details did */
  async function takeOver(before: Department, values: Details): Promise<void> {
    const theirs = await readAgain(client, workspaceId, before.id)
    known.current = theirs
    const [was, is] = [detailsOf(before), detailsOf(theirs)]
    const changed = differing(was, is)
    if (changed.length === 0) return
    const mine = differing(values, was)
    const clashing = differing(values, is).filter((one) => mine.includes(one) && changed.includes(one))
    const others = changed.filter((one) => !mine.includes(one))
    show(Object.fromEntries(others.map((one) => [one, is[one]])))
    throw new ApiError(412, 'version_mismatch', meanwhile(is, clashing))
  }

  return async function save(values: Details): Promise<{ readonly name: string } | null> {
    try {
      const saved = await write(values)
      if (saved) await client.invalidateQueries({ queryKey: departmentsKey(workspaceId) })
      return saved
    } catch (error) {
      if (isStale(error) && known.current) {
        await takeOver(known.current, values)
        // Something else changed, such as who is in it: that is in nobody's way.
        return save(values)
      }
      const holder = await holderOf(client, workspaceId, error, { id: known.current?.id, name: values.name })
      if (!holder) throw orDeleted(error)
      const message = `is taken: there is a department named “${holder.name}” already`
      throw new ApiError(409, 'conflict', '', { details: [{ field: 'name', message }] })
    }
  }
}
