import type { Tab } from './browser.ts'

/** Copies a text together with a picture of it, as spreadsheets copy cells. */
export async function copyTextWithPicture(
  { page, context }: Pick<Tab, 'page' | 'context'>,
  text: string,
  png: Buffer,
): Promise<void> {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.evaluate(`(async () => {
    const bytes = Uint8Array.from(atob('${png.toString('base64')}'), (one) => one.charCodeAt(0))
    const contents = { 'text/plain': ${JSON.stringify(text)}, 'image/png': bytes }
    const blobs = Object.entries(contents).map(([type, content]) => [type, new Blob([content], { type })])
    await navigator.clipboard.write([new ClipboardItem(Object.fromEntries(blobs))])
  })()`)
}
