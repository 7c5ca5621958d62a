import { useHotkeys } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import { useWorkspaceOrNull } from '../api/me.ts'
import { createStore } from '../app/store.ts'
import { loadOnOpen } from '../components/load-on-open.tsx'
import { isDialogOpen } from '../components/open-dialogs.ts'

const loadPalette = () => import('./palette/palette-dialog.tsx')
const PaletteDialog = loadOnOpen(
  async () => (await loadPalette()).PaletteDialog,
  ({ isOpen }) => isOpen,
  ({ close }) => close(),
)

const openness = createStore(false)

/** Opens the command palette from anywhere, such as a button. */
export const openCommandPalette = (): void => openness.set(true)

/** Loads the code of the command palette before it is needed. */
export const preloadCommandPalette = (): void => void loadPalette().catch(() => null)

const close = () => openness.set(false)

/** The command palette, which finds everything that the user can see or do. */
export function CommandPalette() {
  const isOpen = openness.useValue()
  const workspaceId = useWorkspaceOrNull()?.id
  const [text, setText] = useState('')
  const [isReady, setIsReady] = useState(false)
  if (!isOpen && (text !== '' || isReady)) {
    setText('')
    setIsReady(false)
  }
  // Not behind a dialog: there it would take what is typed into the dialog.
  useHotkeys([['mod+K', () => openness.set(!isOpen && !isDialogOpen())]], [])
  useTypedAhead(isOpen && !isReady, (key) => setText((before) => before + key))
  useEffect(() => close, [])
  return (
    <PaletteDialog
      key={workspaceId ?? ''}
      isOpen={isOpen}
      close={close}
      text={text}
      setText={setText}
      onReady={() => setIsReady(true)}
    />
  )
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
