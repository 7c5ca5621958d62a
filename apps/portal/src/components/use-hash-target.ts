import { useLocation } from '@tanstack/react-router'
import { useEffect } from 'react'

/**
 * Shows and focuses the element that the hash of the URL names, such as a row of a list.
 * @param isReady whether the element is there
 */
export function useHashTarget(isReady: boolean): void {
  const { hash } = useLocation()
  useEffect(() => {
    if (!isReady || hash === '') return
    const target = document.getElementById(hash)
    if (!target) return
    target.tabIndex = -1
    target.scrollIntoView({ block: 'center' })
    target.focus({ preventScroll: true })
  }, [hash, isReady])
}
