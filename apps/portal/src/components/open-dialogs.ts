import { useEffect, useEffectEvent } from 'react'

/** A dialog that is open. */
interface OpenDialog {
  readonly zIndex: number
  readonly handleEscape: () => void
}

/** The open dialogs, the topmost last. */
const openDialogs: OpenDialog[] = []

function handleKey({ key, isComposing, target }: KeyboardEvent): void {
  if (key !== 'Escape' || isComposing) return
  // A native dialog is above all others, and handles Escape itself.
  if (document.querySelector('dialog[open]')) return
  // Mantine sets it on what Escape closes first, such as the list of a field.
  if (target instanceof Element && target.getAttribute('data-mantine-stop-propagation') === 'true') return
  openDialogs.at(-1)?.handleEscape()
}

/**
 * Lets Escape close a dialog while it is the topmost one. Mantine would close every open one at once.
 * @param close closes the dialog; null if Escape does not close it
 */
export function useEscapeKey(isOpen: boolean, zIndex: number, close: (() => void) | null): void {
  const handleEscape = useEffectEvent(() => close?.())
  useEffect(() => {
    if (!isOpen) return
    const dialog = { zIndex, handleEscape: () => handleEscape() }
    openDialogs.push(dialog)
    openDialogs.sort((one, other) => one.zIndex - other.zIndex)
    // Once for all dialogs: adding the same listener again does nothing.
    window.addEventListener('keydown', handleKey, { capture: true })
    return () => {
      openDialogs.splice(openDialogs.indexOf(dialog), 1)
      if (openDialogs.length === 0) window.removeEventListener('keydown', handleKey, { capture: true })
    }
  }, [isOpen, zIndex])
}
