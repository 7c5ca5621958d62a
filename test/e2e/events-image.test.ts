import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { evening, noise } from '../support/drawing.ts'
import { dialog, type Events, openEvents, pressIn } from '../support/events.ts'
import { expectSoon, fillIn, press } from '../support/portal.ts'
import { expectCalm } from '../support/visit.ts'

/** A browser on a busy machine takes its time. */
setDefaultTimeout(60_000)

let at: Events
beforeAll(async () => {
  at = await openEvents()
}, 60_000)
afterEach(() => at.leave())
afterAll(() => at?.close())

const MAX_IMAGE_BYTES = 2 * 1024 * 1024

const choose = (page: Page, buffer: Buffer, mimeType = 'image/png') =>
  page.locator('input[type=file]').setInputFiles({ name: 'picture', mimeType, buffer })
const preview = (page: Page) => page.getByRole('img', { name: 'The image as it will be shown' })

/** The bytes of an image that an event has. */
async function imageOf(event: Record<string, string | null> | undefined): Promise<Response> {
  return fetch(String(event?.imageUrl))
}
/** How wide and how high the browser finds an image. */
const sizeOf = (page: Page, address: string): Promise<[number, number]> =>
  page.evaluate(`(async () => {
    const image = new Image()
    image.src = ${JSON.stringify(new URL(address).pathname)}
    await image.decode()
    return [image.naturalWidth, image.naturalHeight]
  })()`)

describe('the image of an event', () => {
  test('is chosen, cut as it is seen, and taken away again', async () => {
    const { id } = await at.plan({ title: 'With a picture', scheduledFor: '2031-04-01T18:00:00Z' })
    const opening = await at.open(`?event=${id}`)
    const { page } = opening
    await pressIn(page, 'With a picture', 'Edit')
    await choose(page, Buffer.from('%PDF-1.7'), 'application/pdf')
    await page.getByText('Choose a PNG, JPEG or WebP image. This file is none of them.').waitFor()
    await choose(page, Buffer.from('\x89PNG\r\n\x1a\nnot really', 'latin1'))
    await page.getByText('This file cannot be read as an image.').waitFor()
    await choose(page, evening(320, 320))
    await preview(page).waitFor()
    await press(page, 'Save')
    await page.getByText('Changed “With a picture”.').waitFor()
    const wide = await at.titled('With a picture')
    expect(await sizeOf(page, String(wide?.imageUrl))).toEqual([320, 180])
    await pressIn(page, 'With a picture', 'Edit')
    await choose(page, evening(320, 180))
    await page.getByRole('radio', { name: 'Square' }).press('Space')
    await page.getByRole('slider', { name: 'Left to right' }).press('End')
    await press(page, 'Save')
    await dialog(page, 'Edit “With a picture”').waitFor({ state: 'detached' })
    const square = await at.titled('With a picture')
    expect(await sizeOf(page, String(square?.imageUrl))).toEqual([180, 180])
    await pressIn(page, 'With a picture', 'Edit')
    await press(page, 'Remove the image')
    await press(page, 'Save')
    await dialog(page, 'Edit “With a picture”').waitFor({ state: 'detached' })
    expect((await at.titled('With a picture'))?.imageUrl).toBeNull()
    await expectCalm(opening)
  })

  test('is dropped or pasted, and made as small as it may be', async () => {
    const large = noise(900, 900)
    expect(large.length).toBeGreaterThan(MAX_IMAGE_BYTES)
    const { page } = await at.open()
    await press(page, 'New event')
    await fillIn(page, { Title: 'Snow', Begins: '2031-05-01T18:00' })
    const give = (event: string, carrier: string, of: Buffer) =>
      page.evaluate(`(() => {
        const bytes = Uint8Array.from(atob('${of.toString('base64')}'), (one) => one.charCodeAt(0))
        const data = new DataTransfer()
        data.items.add(new File([bytes], 'one.png', { type: 'image/png' }))
        const target = ${event}
        target.dispatchEvent(new ${carrier})
      })()`)
    await give(
      'document.activeElement',
      `ClipboardEvent('paste', { clipboardData: data, bubbles: true })`,
      evening(64, 64),
    )
    await preview(page).waitFor()
    await press(page, 'Remove the image')
    await preview(page).waitFor({ state: 'detached' })
    const place = `[...document.querySelectorAll('button')].find((one) => one.textContent === 'Choose an image')`
    await give(place, `DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true })`, large)
    await preview(page).waitFor()
    await page.getByRole('radio', { name: 'Whole image' }).press('Space')
    await press(page, 'Save as draft')
    await page.getByText('“Snow” is saved as a draft.').waitFor()
    const kept = await imageOf(await at.titled('Snow'))
    expect(kept.status).toBe(200)
    expect((await kept.arrayBuffer()).byteLength).toBeLessThanOrEqual(MAX_IMAGE_BYTES)
    expect(await sizeOf(page, kept.url)).toEqual([900, 900])
  })

  test('of another host is linked to, and not loaded', async () => {
    const imageUrl = 'https://pictures.example/one.png'
    const { id } = await at.plan({ title: 'Elsewhere', scheduledFor: '2031-06-01T18:00:00Z', imageUrl })
    const opening = await at.open(`?event=${id}`)
    const link = opening.page.getByRole('link', { name: 'Image at pictures.example' })
    await link.waitFor()
    await expectSoon(() => link.getAttribute('href'), imageUrl)
    expect(await link.getAttribute('rel')).toContain('noreferrer')
    await expectCalm(opening)
  })
})
