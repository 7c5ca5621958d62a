import { createContext, useContext, useEffect } from 'react'

/** What a form can tell the dialog around it. */
interface DialogControls {
  /** Locks the dialog, or unlocks it. */
  readonly setLocked: (isLocked: boolean) => void
  /** Sets what is unsaved, if it is more than typed text. */
  readonly setDirtyCheck: (isDirty: (() => boolean) | null) => void
  /** Closes the dialog, and asks first if anything is unsaved. */
  readonly requestClose: () => void
}

const noop = () => {}

export const DialogContext = createContext<DialogControls>({
  setLocked: noop,
  setDirtyCheck: noop,
  requestClose: noop,
})

/** Keeps the dialog around a form open while its request runs: closing it would not cancel what is being done, and would hide an error. */
export function useDialogLock(isBusy: boolean): void {
  const { setLocked } = useContext(DialogContext)
  useEffect(() => {
    if (!isBusy) return
    setLocked(true)
    return () => setLocked(false)
  }, [isBusy, setLocked])
}

/**
 * Lets the dialog around a form also ask before a choice or a file is lost.
 * @param isDirty whether anything is unsaved
 */
export function useDirtyCheck(isDirty: () => boolean): void {
  const { setDirtyCheck } = useContext(DialogContext)
  useEffect(() => {
    setDirtyCheck(isDirty)
    return () => setDirtyCheck(null)
  })
}
