/**
 * Copies a text to the clipboard. Over plain http there is no Clipboard API, and a browser can refuse its use: then the text is
 * selected in a field for a moment and copied like a selection.
 * @returns whether it was copied
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copySelected(text)
  }
}

function copySelected(text: string): boolean {
  const focused = document.activeElement
  const field = document.createElement('textarea')
  field.value = text
  field.readOnly = true
  // Where it is, so that nothing scrolls, and larger than what makes a phone zoom.
  Object.assign(field.style, { position: 'fixed', inset: '0', opacity: '0', fontSize: '16px' })
  // Next to the button: a dialog keeps the focus inside.
  ;(focused?.parentElement ?? document.body).append(field)
  try {
    field.select()
    return document.execCommand('copy')
  } catch {
    return false
  } finally {
    field.remove()
    if (focused instanceof HTMLElement) focused.focus({ preventScroll: true })
  }
}
