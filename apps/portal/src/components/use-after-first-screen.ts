import { useEffect, useState } from 'react'

/** How long the first screen of a visit has the network for itself, in milliseconds since the page began to load. */
const FIRST_SCREEN_MS = 1500

/** Whether the first screen of the visit had time to load, so that what is not part of it can be read. */
export function useAfterFirstScreen(): boolean {
  const [isAfter, setIsAfter] = useState(() => performance.now() >= FIRST_SCREEN_MS)
  useEffect(() => {
    if (isAfter) return
    const timer = setTimeout(() => setIsAfter(true), FIRST_SCREEN_MS - performance.now())
    return () => clearTimeout(timer)
  }, [isAfter])
  return isAfter
}
