import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { api, take } from '../../api/client.ts'
import { ApiError, sentenceOf } from '../../api/error.ts'
import { useWorkspace } from '../../api/me.ts'
import { tellOfFailure } from '../../components/tell.tsx'
import { type Department, departmentsKey, departmentsQuery } from './department-data.ts'
import { inOrder, moved } from './order.ts'

/** Several presses of a key are one change. */
const REST_MS = 400

/** Why the departments stand as they stood, in a sentence. */
const notSaved = (error: unknown): ApiError => {
  const isChanged = error instanceof ApiError && error.code === 'conflict'
  const why = isChanged ? 'somebody else made or deleted a department meanwhile.' : sentenceOf(error)
  return new ApiError(0, 'conflict', `The order is not saved: ${why}`)
}

/** The departments in the order that is wished for, which is saved once the wishes rest. */
export function useOrder(departments: readonly Department[]) {
  const client = useQueryClient()
  const { id: workspaceId } = useWorkspace()
  const [wish, setWish] = useState<readonly string[] | null>(null)
  const [told, setTold] = useState('')
  const job = useRef({ wanted: null as readonly string[] | null, isRunning: false, timer: 0 })
  const shown = inOrder(departments, wish)

  async function save(): Promise<void> {
    const { current } = job
    clearTimeout(current.timer)
    if (current.isRunning) return
    current.isRunning = true
    try {
      while (current.wanted) {
        const ids = current.wanted.join(',')
        current.wanted = null
        const body = { workspaceId, ids }
        const answer = await take(api.POST('/portal/api/departments/order', { body }))
        const { queryKey } = departmentsQuery(workspaceId)
        await client.cancelQueries({ queryKey })
        client.setQueryData(queryKey, answer.departments)
      }
    } catch (error) {
      current.wanted = null
      setTold('')
      tellOfFailure(notSaved(error))
      void client.invalidateQueries({ queryKey: departmentsKey(workspaceId) })
    } finally {
      current.isRunning = false
      setWish(null)
    }
  }

  const saveNow = useRef(save)
  saveNow.current = save
  useEffect(() => () => void saveNow.current(), [])

  return {
    shown,
    /** What was done last, for those who hear it. */
    told,
    /** Puts a department at a place, counted from 0; a place that there is none of is the nearest one. */
    move(department: Department, place: number): void {
      const ids = shown.map(({ id }) => id)
      const to = Math.max(0, Math.min(place, ids.length - 1))
      if (ids[to] === department.id) {
        setTold(`“${department.name}” is ${to === 0 ? 'first' : 'last'} already.`)
        return
      }
      const { current } = job
      current.wanted = moved(ids, department.id, to)
      setWish(current.wanted)
      setTold(`“${department.name}” is now ${to + 1} of ${ids.length}.`)
      clearTimeout(current.timer)
      current.timer = window.setTimeout(() => void saveNow.current(), REST_MS)
    },
  }
}

export type Order = ReturnType<typeof useOrder>
