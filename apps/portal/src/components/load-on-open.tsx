import { type ComponentType, useEffect, useState } from 'react'
import { loadCode } from '../app/load-code.ts'
import { preloadLater } from './preload-later.ts'
import { notifyError } from './toast.tsx'

/** When to try again to load what is still open, in milliseconds. */
const RETRY_MS = 10_000

/**
 * A dialog whose code is loaded when it is opened for the first time, so that its screen loads less.
 * @param load imports the dialog
 * @param isOpen whether the properties say that it is open
 * @param close called if the dialog could not be loaded; it is tried again if that does not close it
 */
export function loadOnOpen<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  isOpen: (props: Props) => boolean,
  close: (props: Props) => void,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | null = null
  return function LoadOnOpen(props: Props) {
    const [Dialog, setDialog] = useState<ComponentType<Props> | null>(() => loaded)
    const [failures, setFailures] = useState(0)
    const isNeeded = isOpen(props) && Dialog === null
    useEffect(() => {
      if (!isNeeded) return setFailures(0)
      const tryLoad = () =>
        void loadCode(load).then(
          (component) => {
            loaded = component
            setDialog(() => component)
          },
          (error) => {
            if (failures === 0) notifyError(error)
            close(props)
            setFailures(failures + 1)
          },
        )
      if (failures === 0) return tryLoad()
      const timer = setTimeout(tryLoad, RETRY_MS)
      window.addEventListener('online', tryLoad)
      return () => {
        clearTimeout(timer)
        window.removeEventListener('online', tryLoad)
      }
      // Loads once per opening, not whenever another property changes.
    }, [isNeeded, failures])
    // So that it opens at once, also without a network.
    useEffect(() => preloadLater(() => void load().catch(() => null)), [])
    return Dialog ? <Dialog {...props} /> : null
  }
}
