import { useEffectEvent, useLayoutEffect } from 'react'

/** A text that was typed into a form. */
export interface TypedText {
  /** The label of its field. */
  readonly label: string
  readonly text: string
}

type ReadTexts = () => readonly TypedText[]

/** Read what was typed into the dialogs of the page. */
const readers = new Set<ReadTexts>()

/**
 * Lets what was typed into a dialog be shown once more if the user can no longer open the workspace.
 * @param read the texts that are neither saved nor discarded
 */
export function useDialogTexts(read: ReadTexts): void {
  const readNow = useEffectEvent(read)
  useLayoutEffect(() => {
    const reader = () => readNow()
    readers.add(reader)
    return () => void readers.delete(reader)
  }, [])
}

/** The texts of all dialogs that are neither saved nor discarded. */
export const readDialogTexts = (): readonly TypedText[] =>
  [...readers].flatMap((read) => read()).filter(({ text }) => text.trim() !== '')
