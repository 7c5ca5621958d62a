import { arrayMove } from '@dnd-kit/sortable'
import { useEffect, useRef, useState } from 'react'
import { ApiError, getErrorMessage, hasErrorCode } from '../api/error.ts'
import { notifyError } from './toast.tsx'

/** Groups several key presses into one request. */
const SAVE_DEBOUNCE_MS = 400

interface Item {
  readonly id: string
  readonly name: string
}

interface Options {
  /** Why the order is rejected if the list has changed: `someone else has added or deleted a department in the meantime.` */
  readonly conflict: string
  /** Saves the ids in their order, and updates what is shown. */
  readonly save: (ids: string) => Promise<void>
  /** Called if an order was not saved. */
  readonly refetch: () => void
}

/** Sorts by a pending order. Items that are missing from it come last, in their previous order. */
function sortByOrder<T extends Item>(items: readonly T[], order: readonly string[] | null): readonly T[] {
  if (order === null) return items
  const getPosition = ({ id }: T) => {
    const index = order.indexOf(id)
    return index < 0 ? order.length : index
  }
  return items.toSorted((a, b) => getPosition(a) - getPosition(b))
}

/** Explains why the new order was not saved. */
const toOrderError = (error: unknown, conflict: string): ApiError => {
  const isChanged = hasErrorCode(error, 'conflict')
  return new ApiError(
    0,
    'conflict',
    `The order was not saved: ${isChanged ? conflict : getErrorMessage(error)}`,
  )
}

/** The items in the order that the user last chose; it is saved after a short pause. */
export function usePendingOrder<T extends Item>(items: readonly T[], options: Options) {
  const [pendingOrder, setPendingOrder] = useState<readonly string[] | null>(null)
  const [announcement, setAnnouncement] = useState('')
  const saveState = useRef({ nextOrder: null as readonly string[] | null, isRunning: false, timer: 0 })
  const orderedItems = sortByOrder(items, pendingOrder)

  async function save(): Promise<void> {
    const { current } = saveState
    clearTimeout(current.timer)
    if (current.isRunning) return
    current.isRunning = true
    try {
      while (current.nextOrder) {
        const ids = current.nextOrder.join(',')
        current.nextOrder = null
        await options.save(ids)
      }
    } catch (error) {
      current.nextOrder = null
      setAnnouncement('')
      notifyError(toOrderError(error, options.conflict))
      options.refetch()
    } finally {
      current.isRunning = false
      setPendingOrder(null)
    }
  }

  const latestSave = useRef(save)
  latestSave.current = save
  useEffect(() => () => void latestSave.current(), [])

  return {
    orderedItems,
    /** The last change, for screen readers. */
    announcement,
    /** Moves an item to an index, which is clamped to the list. */
    move(item: T, position: number): void {
      const ids = orderedItems.map(({ id }) => id)
      const to = Math.max(0, Math.min(position, ids.length - 1))
      if (ids[to] === item.id) {
        setAnnouncement(`“${item.name}” is already ${to === 0 ? 'first' : 'last'}.`)
        return
      }
      const { current } = saveState
      current.nextOrder = arrayMove(ids, ids.indexOf(item.id), to)
      setPendingOrder(current.nextOrder)
      setAnnouncement(`“${item.name}” is now ${to + 1} of ${ids.length}.`)
      clearTimeout(current.timer)
      current.timer = window.setTimeout(() => void latestSave.current(), SAVE_DEBOUNCE_MS)
    },
  }
}
