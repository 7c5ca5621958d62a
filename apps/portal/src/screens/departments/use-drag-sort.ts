import { type PointerEvent, useEffect, useRef, useState } from 'react'
import { findDropIndex } from './reorder.ts'

/** So near to the edge of the window it scrolls, so many pixels a frame. */
const SCROLL_EDGE_PX = 72
const SCROLL_SPEED_PX = 10

interface DragState {
  readonly id: string
  readonly from: number
  readonly to: number
  /** How far down it was dragged. */
  readonly offset: number
  /** The room it takes in the list. */
  readonly itemHeight: number
}

const getScrollSpeed = (y: number): number =>
  y < SCROLL_EDGE_PX ? -SCROLL_SPEED_PX : y > window.innerHeight - SCROLL_EDGE_PX ? SCROLL_SPEED_PX : 0

/** How far an item of the list gives way to the one that is dragged over it. */
export function getShift(drag: DragState | null, index: number): number {
  if (!drag) return 0
  if (index === drag.from) return drag.offset
  if (drag.from < index && index <= drag.to) return -drag.itemHeight
  return drag.to <= index && index < drag.from ? drag.itemHeight : 0
}

/**
 * Drags the items of a list by their handles, with a mouse, a pen or a finger; Escape puts the item back.
 * @param drop what is done once it is let go at another place
 */
export function useDragSort(onDrop: (id: string, to: number) => void) {
  const [drag, setDrag] = useState<DragState | null>(null)
  const activeDrag = useRef<AbortController | null>(null)
  useEffect(() => () => activeDrag.current?.abort(), [])

  function startDrag(event: PointerEvent<HTMLElement>, id: string): void {
    const handle = event.currentTarget
    const item = handle.closest('li')
    if (event.button !== 0 || !item?.parentElement) return
    const { pointerId } = event
    const items = [...item.parentElement.children]
    const boxes = items.map((child) => child.getBoundingClientRect())
    const from = items.indexOf(item)
    const [first, second] = boxes
    const itemHeight = item.offsetHeight + (first && second ? second.top - first.bottom : 0)
    const start = event.clientY + window.scrollY
    let y = event.clientY
    let latest: DragState = { id, from, to: from, offset: 0, itemHeight }

    const updateDrag = () => {
      const offset = y + window.scrollY - start
      latest = { ...latest, offset, to: findDropIndex(boxes, from, offset) }
      setDrag(latest)
    }
    let frame = requestAnimationFrame(function scroll() {
      const speed = latest.offset === 0 ? 0 : getScrollSpeed(y)
      if (speed !== 0) {
        window.scrollBy(0, speed)
        updateDrag()
      }
      frame = requestAnimationFrame(scroll)
    })
    activeDrag.current?.abort()
    const controller = new AbortController()
    activeDrag.current = controller
    const { signal } = controller
    signal.addEventListener('abort', () => {
      cancelAnimationFrame(frame)
      setDrag(null)
    })
    const addListener = <Type extends keyof HTMLElementEventMap>(
      type: Type,
      handler: (event: HTMLElementEventMap[Type]) => void,
    ) => handle.addEventListener(type, handler, { signal })
    addListener('pointermove', (moveEvent) => {
      if (moveEvent.pointerId !== pointerId) return
      y = moveEvent.clientY
      updateDrag()
    })
    addListener('pointerup', () => {
      controller.abort()
      if (latest.to !== from) onDrop(id, latest.to)
    })
    addListener('lostpointercapture', () => controller.abort())
    document.addEventListener('keydown', ({ key }) => key === 'Escape' && controller.abort(), { signal })
    handle.setPointerCapture(pointerId)
  }
  return { drag, startDrag }
}
