import { useEffect, useEffectEvent } from 'react'
import type { TypedText } from './dialog-texts.ts'
import { openRescuedTexts } from './rescued-text.tsx'

/**
 * Shows what was typed into a form once more if the form disappears, because somebody has removed a permission or switched something
 * off meanwhile.
 * @param read the texts that are neither saved nor discarded, called when the form disappears
 */
export function useRescuedTexts(read: () => readonly TypedText[]): void {
  const rescue = useEffectEvent(() => {
    const texts = read().filter(({ text }) => text.trim() !== '')
    if (texts.length > 0) openRescuedTexts(texts)
  })
  useEffect(() => () => rescue(), [])
}
