import type { TypedText } from './dialog-texts.ts'
import { DiscardDialog, useUnsavedChanges } from './unsaved-changes.tsx'
import { useRescuedTexts } from './use-rescued-texts.ts'

interface UnsavedTextProps {
  readonly hasText: boolean
  /** Reads its texts, if somebody else can make the form disappear: then they are shown once more. */
  readonly readTexts?: () => readonly TypedText[]
  readonly discard: () => void
  readonly isSaving: boolean
  /** Whether the form is a tab of its page, so that a change of the query string leaves it too. */
  readonly isTab?: boolean
}

/** Asks before the text of a form is lost that is a part of a page; `UnsavedText` loads it. */
export function UnsavedTextGuard(props: UnsavedTextProps) {
  const { hasText, readTexts, discard, isSaving, isTab = false } = props
  const unsavedChanges = useUnsavedChanges(discard, { isOff: !hasText, isPart: !isTab, isSaving })
  unsavedChanges.setDirtyCheck(() => hasText)
  useRescuedTexts(() => (isSaving ? [] : (readTexts?.() ?? [])))
  return <DiscardDialog unsavedChanges={unsavedChanges} />
}
