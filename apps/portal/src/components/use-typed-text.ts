import { type FocusEvent, useRef } from 'react'
import type { TypedText } from './dialog-texts.ts'

const TEXT_FIELDS = ['text', 'email', 'url']
  .map((type) => `input[type=${type}]:not([role=combobox], [readonly])`)
  .concat('input:not([type], [role=combobox], [readonly])', 'textarea')
  .join()

/** What counts as a field of a form. */
const FIELDS = 'input:not([type=hidden]), select, textarea'

type TextField = HTMLInputElement | HTMLTextAreaElement

const getLabel = (field: TextField): string =>
  field.getAttribute('aria-label') ?? field.labels?.[0]?.firstChild?.textContent ?? 'Text'

/**
 * Notices text that was typed into fields, whatever form they belong to. One line that is the only field of its form is no
 * effort to type again, so it does not count; a choice does not either.
 */
export function useTypedText() {
  /** What each field contained when it got the focus for the first time. */
  const initialTexts = useRef(new Map<TextField, string>())
  const listFields = () =>
    [...initialTexts.current].flatMap(([field, initialText]) =>
      field.isConnected &&
      field.value.trim() !== initialText.trim() &&
      (field.matches('textarea') || (field.form?.querySelectorAll(FIELDS).length ?? 0) > 1)
        ? [field]
        : [],
    )
  return {
    onFocusCapture({ currentTarget, target }: FocusEvent<HTMLElement>) {
      // The events of dialogs on top arrive here too.
      if (!currentTarget.contains(target) || !target.matches(TEXT_FIELDS)) return
      const field = target as TextField
      if (!initialTexts.current.has(field)) initialTexts.current.set(field, field.value)
    },
    hasText: () => listFields().length > 0,
    readTexts: (): readonly TypedText[] =>
      listFields().map((field) => ({ label: getLabel(field), text: field.value })),
  }
}
