import { type RefCallback, useCallback, useState } from 'react'

/** How far below the visible part of the page an element counts as near. */
const NEAR = '400px'

/**
 * Whether an element is in or near the visible part of the page. Mantine's `useIntersection` keeps the oldest of several
 * changes that a busy browser reports together, so that an element could stay "not visible" although it is.
 */
export function useIsNearScreen<Type extends Element>(): readonly [RefCallback<Type>, boolean] {
  const [isNear, setIsNear] = useState(false)
  const ref = useCallback((element: Type | null) => {
    if (!element) return
    const observer = new IntersectionObserver(
      (changes) => setIsNear(changes.at(-1)?.isIntersecting ?? false),
      { rootMargin: NEAR },
    )
    observer.observe(element)
    return () => {
      observer.disconnect()
      setIsNear(false)
    }
  }, [])
  return [ref, isNear]
}
