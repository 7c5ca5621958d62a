import { type PointerEvent, useEffect, useRef, useState } from 'react'
import { placeAt } from './order.ts'

/** So near to the edge of the window it scrolls, so many pixels a frame. */
const EDGE = 72
const SPEED = 10

interface Held {
  readonly id: string
  readonly from: number
  readonly to: number
  /** How far down it was dragged. */
  readonly by: number
  /** The room it takes in the list. */
  readonly room: number
}

const speedAt = (y: number): number => (y < EDGE ? -SPEED : y > window.innerHeight - EDGE ? SPEED : 0)

/** How far an item of the list gives way to the one that is dragged over it. */
export function shiftOf(held: Held | null, index: number): number {
  if (!held) return 0
  if (index === held.from) return held.by
  if (held.from < index && index <= held.to) return -held.room
  return held.to <= index && index < held.from ? held.room : 0
}

/**
 * Drags the items of a list by their handles, with a mouse, a pen or a finger; Escape puts the item back.
 * @param drop what is done once it is let go at another place
 */
export function useDrag(drop: (id: string, to: number) => void) {
  const [held, setHeld] = useState<Held | null>(null)
  const ending = useRef<AbortController | null>(null)
  useEffect(() => () => ending.current?.abort(), [])

  function begin(event: PointerEvent<HTMLElement>, id: string): void {
    const handle = event.currentTarget
    const item = handle.closest('li')
    if (event.button !== 0 || !item?.parentElement) return
    const { pointerId } = event
    const items = [...item.parentElement.children]
    const boxes = items.map((one) => one.getBoundingClientRect())
    const from = items.indexOf(item)
    const [first, second] = boxes
    const room = item.offsetHeight + (first && second ? second.top - first.bottom : 0)
    const start = event.clientY + window.scrollY
    let y = event.clientY
    let last: Held = { id, from, to: from, by: 0, room }

    const follow = () => {
      const by = y + window.scrollY - start
      last = { ...last, by, to: placeAt(boxes, from, by) }
      setHeld(last)
    }
    let frame = requestAnimationFrame(function scroll() {
      const speed = last.by === 0 ? 0 : speedAt(y)
      if (speed !== 0) {
        window.scrollBy(0, speed)
        follow()
      }
      frame = requestAnimationFrame(scroll)
    })
    ending.current?.abort()
    const end = new AbortController()
    ending.current = end
    const { signal } = end
    signal.addEventListener('abort', () => {
      cancelAnimationFrame(frame)
      setHeld(null)
    })
    const on = <Type extends keyof HTMLElementEventMap>(
      type: Type,
      listen: (event: HTMLElementEventMap[Type]) => void,
    ) => handle.addEventListener(type, listen, { signal })
    on('pointermove', (moved) => {
      if (moved.pointerId !== pointerId) return
      y = moved.clientY
      follow()
    })
    on('pointerup', () => {
      end.abort()
      if (last.to !== from) drop(id, last.to)
    })
    on('lostpointercapture', () => end.abort())
    document.addEventListener('keydown', ({ key }) => key === 'Escape' && end.abort(), { signal })
    handle.setPointerCapture(pointerId)
  }
  return { held, begin }
}
