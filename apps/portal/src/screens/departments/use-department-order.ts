import { arrayMove } from '@dnd-kit/sortable'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { api, unwrap } from '../../api/client.ts'
import { ApiError, getErrorMessage } from '../../api/error.ts'
import { useWorkspace } from '../../api/me.ts'
import { notifyError } from '../../components/toast.tsx'
import { type Department, departmentsKey, departmentsQuery } from './department-data.ts'

/** Groups several key presses into one request. */
const SAVE_DEBOUNCE_MS = 400

/** Sorts by a pending order. Items that are missing from it come last, in their previous order. */
function sortByOrder(
  departments: readonly Department[],
  order: readonly string[] | null,
): readonly Department[] {
  if (order === null) return departments
  const getPosition = ({ id }: Department) => {
    const index = order.indexOf(id)
    return index < 0 ? order.length : index
  }
  return departments.toSorted((a, b) => getPosition(a) - getPosition(b))
}

/** Explains why the new order was not saved. */
const toOrderError = (error: unknown): ApiError => {
  const isChanged = error instanceof ApiError && error.code === 'conflict'
  const reason = isChanged
    ? 'someone else has added or deleted a department in the meantime.'
    : getErrorMessage(error)
  return new ApiError(0, 'conflict', `The order was not saved: ${reason}`)
}

/** The departments in the order that the user last chose; it is saved after a short pause. */
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
    /** The last change, for screen readers. */
    announcement,
    /** Moves a department to an index, which is clamped to the list. */
    move(department: Department, position: number): void {
      const ids = orderedDepartments.map(({ id }) => id)
      const to = Math.max(0, Math.min(position, ids.length - 1))
      if (ids[to] === department.id) {
        setAnnouncement(`“${department.name}” is already ${to === 0 ? 'first' : 'last'}.`)
        return
      }
      const { current } = saveState
      current.nextOrder = arrayMove(ids, ids.indexOf(department.id), to)
      setPendingOrder(current.nextOrder)
      setAnnouncement(`“${department.name}” is now ${to + 1} of ${ids.length}.`)
      clearTimeout(current.timer)
      current.timer = window.setTimeout(() => void latestSave.current(), SAVE_DEBOUNCE_MS)
    },
  }
}
