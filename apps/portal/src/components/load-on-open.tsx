import { type ComponentType, useEffect, useState } from 'react'
import { createNetworkError } from '../api/error.ts'
import { preloadLater } from './preload-later.ts'
import { notifyError } from './toast.tsx'

/**
 * A dialog whose code is loaded when it is opened for the first time, so that its screen loads less.
 * @param load imports the dialog
 * @param isOpen whether the properties say that it is open
 * @param close called if the dialog could not be loaded
 */
export function loadOnOpen<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  isOpen: (props: Props) => boolean,
  close: (props: Props) => void,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | null = null
  return function LoadOnOpen(props: Props) {
    const [Dialog, setDialog] = useState<ComponentType<Props> | null>(() => loaded)
    const isNeeded = isOpen(props) && Dialog === null
    useEffect(() => {
      if (!isNeeded) return
      load().then(
        (component) => {
          loaded = component
          setDialog(() => component)
        },
        () => {
          notifyError(createNetworkError())
          close(props)
        },
      )
      // Loads once per opening, not whenever another property changes.
    }, [isNeeded])
    // So that it opens at once, also without a network.
    useEffect(() => preloadLater(() => void load().catch(() => null)), [])
    return Dialog ? <Dialog {...props} /> : null
  }
}
