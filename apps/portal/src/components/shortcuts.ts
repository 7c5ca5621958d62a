import { useEffect, useEffectEvent } from 'react'
import { getPreferences, usePreferences } from '../app/preferences.ts'
import { createStore } from '../app/store.ts'

export interface Shortcut {
  /** As shown: `['Ctrl', 'K']`; a single character for a key that works alone. */
  readonly keys: readonly string[]
  /** What it does: `Ban this player`. */
  readonly label: string
  /** The heading that it is listed under. */
  readonly group: string
}

interface RegisteredShortcut extends Shortcut {
  /** Absent if the screen handles the keys itself. */
  readonly run?: () => void
}

const shortcuts = createStore<readonly RegisteredShortcut[]>([])

/** Every shortcut that works on the present screen. */
export const useShortcutList: () => readonly Shortcut[] = shortcuts.useValue

/**
 * Lists a shortcut while the component is mounted.
 * @param run what the key does; absent if the component handles the keys itself
 * @param isDisabled whether it does not work at the moment
 */
export function useShortcut(shortcut: Shortcut, run?: () => void, isDisabled = false): void {
  const { label, group } = shortcut
  const keys = shortcut.keys.join('\n')
  const hasRun = run !== undefined
  const onRun = useEffectEvent(() => run?.())
  useEffect(() => {
    if (isDisabled) return
    const registered = { keys: keys.split('\n'), label, group, ...(hasRun && { run: () => onRun() }) }
    shortcuts.set([...shortcuts.get(), registered])
    return () => shortcuts.set(shortcuts.get().filter((other) => other !== registered))
  }, [keys, label, group, hasRun, isDisabled])
}

/** The value of `aria-keyshortcuts` for a single key; undefined while single keys are off. */
export const useKeyHint = (key: string): string | undefined =>
  usePreferences().singleKeys === 'on' ? key : undefined

const EDITABLE = 'input, textarea, select, [contenteditable="true"], [role="textbox"], [role="combobox"]'
const POPUP = 'dialog[open], [aria-modal="true"], [role="menu"], [role="listbox"]'

/** Closed menus can stay in the page. */
const isPopupShown = (): boolean =>
  [...document.querySelectorAll(POPUP)].some((popup) => popup.checkVisibility())

/** The character of a key in Latin letters, whatever the keyboard layout. */
function readKey({ key, code }: KeyboardEvent): string {
  const isAscii = /^[!-~]$/.test(key)
  return (isAscii ? key : (/^Key([A-Z])$/.exec(code)?.[1] ?? '')).toUpperCase()
}

/** Runs the shortcut of a key; not while typing, with a dialog or menu open, or with modifiers. */
function handleKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.repeat || event.isComposing) return
  if (event.ctrlKey || event.metaKey || event.altKey || getPreferences().singleKeys === 'off') return
  const key = readKey(event)
  // Shift is needed to type `?` and, on some keyboards, `/`.
  if (event.shiftKey && /^[A-Z]$/.test(key)) return
  if (event.target instanceof Element && event.target.closest(EDITABLE)) return
  if (isPopupShown()) return
  const shortcut = shortcuts.get().findLast(({ keys, run }) => run && keys.length === 1 && keys[0] === key)
  if (!shortcut?.run) return
  event.preventDefault()
  shortcut.run()
}

/** Makes the listed shortcuts work. Used once, by the layout. */
export function useShortcutKeys(): void {
  useEffect(() => {
    document.addEventListener('keydown', handleKey)
    return () => document.removeEventListener('keydown', handleKey)
  }, [])
}
