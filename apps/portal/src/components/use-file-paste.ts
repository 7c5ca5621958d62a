import { useEffect, useEffectEvent } from 'react'

/** Whether the browser pastes a text into a field. Its files are only pictures of that text, as spreadsheets copy them. */
const isTextForField = ({ target, clipboardData }: ClipboardEvent): boolean =>
  target instanceof Element &&
  target.matches(':read-write') &&
  clipboardData?.types.includes('text/plain') === true

/** Receives the files that are pasted anywhere on the page. */
export function useFilePaste(onFiles: (files: readonly File[]) => void): void {
  const onPaste = useEffectEvent((event: ClipboardEvent) => {
    const files = [...(event.clipboardData?.files ?? [])]
    if (files.length === 0 || isTextForField(event)) return
    event.preventDefault()
    onFiles(files)
  })
  useEffect(() => {
    const paste = (event: ClipboardEvent) => onPaste(event)
    document.addEventListener('paste', paste)
    return () => document.removeEventListener('paste', paste)
  }, [])
}
