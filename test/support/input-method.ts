import type { Page } from 'playwright-core'

/** Composes a text in the field with the focus, and ends that with Enter, as with an input method for Japanese. */
export async function composeText(page: Page, text: string): Promise<void> {
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('Input.imeSetComposition', {
    text,
    selectionStart: text.length,
    selectionEnd: text.length,
  })
  // A key that enters nothing, because the input method takes it.
  const enter = { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 229 }
  await devTools.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...enter })
  await devTools.send('Input.insertText', { text })
  await devTools.send('Input.dispatchKeyEvent', { type: 'keyUp', ...enter })
  await devTools.detach()
}
