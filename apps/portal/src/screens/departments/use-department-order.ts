import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { api, unwrap } from '../../api/client.ts'
import { ApiError, getErrorMessage } from '../../api/error.ts'
import { useWorkspace } from '../../api/me.ts'
import { notifyError } from '../../components/toast.tsx'
import { type Department, departmentsKey, departmentsQuery } from './department-data.ts'
import { moveId, sortByOrder } from './reorder.ts'

/** Several presses of a key are one change. */
const SAVE_DEBOUNCE_MS = 400

/** Why the departments stand as they stood, in a sentence. */
const toOrderError = (error: unknown): ApiError => {
  const isChanged = error instanceof ApiError && error.code === 'conflict'
  const reason = isChanged ? 'somebody else made or deleted a department meanwhile.' : getErrorMessage(error)
  return new ApiError(0, 'conflict', `The order is not saved: ${reason}`)
}

/** The departments in the order that is wished for, which is saved once the wishes rest. */
export function useDepartmentOrder(departments: readonly Department[]) {
  const client = useQueryClient()
  const { id: workspaceId } = useWorkspace()
  const [pendingOrder, setPendingOrder] = useState<readonly string[] | null>(null)
  const [announcement, setAnnouncement] = useState('')
  const saveState = useRef({ nextOrder: null as readonly string[] | null, isRunning: false, timer: 0 })
  const orderedDepartments = sortByOrder(departments, pendingOrder)

  async function save(): Promise<void> {
    const { current } = saveState
    clearTimeout(current.timer)
    if (current.isRunning) return
    current.isRunning = true
    try {
      while (current.nextOrder) {
        const ids = current.nextOrder.join(',')
        current.nextOrder = null
        const body = { workspaceId, ids }
        const response = await unwrap(api.POST('/portal/api/departments/order', { body }))
        const { queryKey } = departmentsQuery(workspaceId)
        await client.cancelQueries({ queryKey })
        client.setQueryData(queryKey, response.departments)
      }
    } catch (error) {
      current.nextOrder = null
      setAnnouncement('')
      notifyError(toOrderError(error))
      void client.invalidateQueries({ queryKey: departmentsKey(workspaceId) })
    } finally {
      current.isRunning = false
      setPendingOrder(null)
    }
  }

  const latestSave = useRef(save)
  latestSave.current = save
  useEffect(() => () => void latestSave.current(), [])

  return {
    orderedDepartments,
    /** What was done last, for those who hear it. */
    announcement,
    /** Puts a department at a place, counted from 0; a place that there is none of is the nearest one. */
    move(department: Department, position: number): void {
      const ids = orderedDepartments.map(({ id }) => id)
      const to = Math.max(0, Math.min(position, ids.length - 1))
      if (ids[to] === department.id) {
        setAnnouncement(`“${department.name}” is ${to === 0 ? 'first' : 'last'} already.`)
        return
      }
      const { current } = saveState
      current.nextOrder = moveId(ids, department.id, to)
      setPendingOrder(current.nextOrder)
      setAnnouncement(`“${department.name}” is now ${to + 1} of ${ids.length}.`)
      clearTimeout(current.timer)
      current.timer = window.setTimeout(() => void latestSave.current(), SAVE_DEBOUNCE_MS)
    },
  }
}

export type DepartmentOrder = ReturnType<typeof useDepartmentOrder>
