import { useEffectEvent, useLayoutEffect } from 'react'

/** A dialog that is open. */
interface OpenDialog {
  readonly zIndex: number
  readonly handleEscape: () => void
}

/** The open dialogs, the topmost last. */
const openDialogs: OpenDialog[] = []

/** Native dialogs are above all others. */
const isNativeDialogOpen = (): boolean => document.querySelector('dialog[open]') !== null

/** Whether a dialog covers the page. One that is closing, which is still drawn, does not count. */
export const isDialogOpen = (): boolean => openDialogs.length > 0 || isNativeDialogOpen()

function handleKey({ key, isComposing, target }: KeyboardEvent): void {
  if (key !== 'Escape' || isComposing) return
  // It handles Escape itself.
  if (isNativeDialogOpen()) return
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
  // Before anything is drawn: an open dialog never misses a key.
  useLayoutEffect(() => {
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
