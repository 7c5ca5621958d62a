import { useEffect, useState } from 'react'

/** How long the first screen of a visit has the network for itself once it is rendered, in milliseconds. */
const FIRST_SCREEN_MS = 1000

let wasShown = false

/** Whether the first screen of the visit had time to load, so that what is not part of it can be read. */
export function useAfterFirstScreen(): boolean {
  const [isAfter, setIsAfter] = useState(wasShown)
  useEffect(() => {
    if (isAfter) return
    const timer = setTimeout(() => {
      wasShown = true
      setIsAfter(true)
    }, FIRST_SCREEN_MS)
    return () => clearTimeout(timer)
  }, [isAfter])
  return isAfter
}
