import type { Page } from 'playwright-core'

/** Holds the writes of the page to matching URLs until the result is called, which lets them fail. */
export async function holdWrites(page: Page, urlPattern: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(urlPattern, async (route) => {
    if (route.request().method() === 'GET') return route.fallback()
    await promise
    await route.fulfill({ status: 500, json: { error: 'The disk is full.', code: 'internal_error' } })
  })
  return resolve
}

/** Tries every way to close the dialog, none of which may work while its request runs. @param cancel the label of its other button */
export async function expectLocked(page: Page, cancel = 'Cancel'): Promise<void> {
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: cancel, disabled: true }).waitFor()
  await dialog.getByRole('button', { name: 'Close', disabled: true }).waitFor()
  await page.keyboard.press('Escape')
  await page.mouse.click(2, 2)
}
