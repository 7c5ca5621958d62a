import { useHotkeys } from '@mantine/hooks'
import { lazy, Suspense, useEffect, useState, useSyncExternalStore } from 'react'
import { useWorkspaceOrNull } from '../api/me.ts'
import type { NavigationSection } from './navigation.ts'

const loadPalette = () => import('./palette/palette-dialog.tsx')
const PaletteDialog = lazy(async () => {
  const { PaletteDialog: dialog } = await loadPalette()
  return { default: dialog }
})

let isOpen = false
const listeners = new Set<() => void>()

function setOpen(opened: boolean): void {
  isOpen = opened
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Opens the command palette from anywhere, such as a button. */
export const openCommandPalette = (): void => setOpen(true)

/** Loads the code of the command palette before it is needed. */
export const preloadCommandPalette = (): void => void loadPalette()

const close = () => setOpen(false)

interface Props {
  readonly sections: readonly NavigationSection[]
  /** Shows the keyboard shortcuts; without it, the palette does not offer them. */
  readonly openShortcuts?: () => void
}

/** The command palette, which finds everything that the user can see or do. Loaded when it is first opened. */
export function CommandPalette(props: Props) {
  const opened = useSyncExternalStore(subscribe, () => isOpen)
  const workspaceId = useWorkspaceOrNull()?.id
  const [wasOpened, setWasOpened] = useState(false)
  if (opened && !wasOpened) setWasOpened(true)
  const [text, setText] = useState('')
  const [isReady, setIsReady] = useState(false)
  if (!opened && (text !== '' || isReady)) {
    setText('')
    setIsReady(false)
  }
  useHotkeys([['mod+K', () => setOpen(!isOpen)]], [])
  useTypedAhead(opened && !isReady, (key) => setText((before) => before + key))
  useEffect(() => close, [])
  return wasOpened ? (
    <Suspense>
      <PaletteDialog
        key={workspaceId ?? ''}
        {...props}
        isOpen={opened}
        close={close}
        text={text}
        setText={setText}
        onReady={() => setIsReady(true)}
      />
    </Suspense>
  ) : null
}

/** Receives what is typed before the field of the palette has the focus, so that no key is lost or does something else. */
function useTypedAhead(isWaiting: boolean, type: (key: string) => void): void {
  useEffect(() => {
    if (!isWaiting) return
    const handleKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return
      if (event.key === 'Escape') close()
      else if (event.key.length === 1) type(event.key)
      else return
      event.preventDefault()
      event.stopPropagation()
    }
    window.addEventListener('keydown', handleKey, { capture: true })
    return () => window.removeEventListener('keydown', handleKey, { capture: true })
  }, [isWaiting, type])
}
