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

/** What was typed into dialogs that have disappeared in the current commit of React. */
let disappearedTexts: readonly TypedText[] = []

function addDisappearedTexts(texts: readonly TypedText[]): void {
  if (texts.length === 0) return
  disappearedTexts = [...disappearedTexts, ...texts]
  queueMicrotask(() => {
    disappearedTexts = []
  })
}

/**
 * Lets what was typed into a dialog be shown once more if the user can no longer open the workspace, or the screen of the dialog.
 * @param read the texts that are neither saved nor discarded
 */
export function useDialogTexts(read: ReadTexts): void {
  const readNow = useEffectEvent(read)
  useLayoutEffect(() => {
    const reader = () => readNow()
    readers.add(reader)
    return () => {
      readers.delete(reader)
      // The fields of the dialog are still there.
      addDisappearedTexts(reader())
    }
  }, [])
}

/** The texts of all dialogs that are neither saved nor discarded. */
export const readDialogTexts = (): readonly TypedText[] =>
  [...readers].flatMap((read) => read()).filter(hasText)

/** The texts, neither saved nor discarded, of the dialogs that disappear in the same commit as a layout effect which asks for them. */
export const readDisappearedTexts = (): readonly TypedText[] => disappearedTexts.filter(hasText)

const hasText = ({ text }: TypedText): boolean => text.trim() !== ''
