import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { copyTextWithPicture } from '../support/clipboard.ts'
import { useSession } from '../support/e2e-session.ts'
import { dialog, openEventsSession, pressInDialog } from '../support/events.ts'
import { expectSettled, fillIn, pressButton, readField } from '../support/page-actions.ts'
import { expectNoPageErrors } from '../support/page-errors.ts'
import { drawEvening, drawNoise } from '../support/png.ts'

/** Browser tests are slow on a busy machine. */

const e2e = useSession(openEventsSession)

const MAX_IMAGE_BYTES = 2 * 1024 * 1024

const chooseImage = (page: Page, buffer: Buffer, mimeType = 'image/png') =>
  page.locator('input[type=file]').setInputFiles({ name: 'image', mimeType, buffer })
const preview = (page: Page) => page.getByRole('img', { name: 'Preview of the cropped image' })

/** Downloads the image of an event as the person who is signed in. */
const downloadImage = (page: Page, event: Record<string, string | null> | undefined) =>
  page.request.get(String(event?.imageUrl))
/** The width and height of an image as decoded by the browser. */
const readImageSize = (page: Page, url: string): Promise<[number, number]> =>
  page.evaluate(`(async () => {
    const image = new Image()
    image.src = ${JSON.stringify(new URL(url).pathname)}
    await image.decode()
    return [image.naturalWidth, image.naturalHeight]
  })()`)

describe('the image of an event', () => {
  test('is chosen, cropped as previewed, and removed again', async () => {
    const { id } = await e2e.createEvent({ title: 'With an image', scheduledFor: '2031-04-01T18:00:00Z' })
    const tab = await e2e.openEventsScreen(`?event=${id}`)
    const { page } = tab
    await pressInDialog(page, 'With an image', 'Edit')
    await chooseImage(page, Buffer.from('%PDF-1.7'), 'application/pdf')
    await page.getByText('This file type is not supported. Choose a PNG, JPEG or WebP image.').waitFor()
    await chooseImage(page, Buffer.from('\x89PNG\r\n\x1a\nnot really', 'latin1'))
    await page.getByText('This file cannot be read as an image.').waitFor()
    await chooseImage(page, drawEvening(320, 320))
    await preview(page).waitFor()
    await pressButton(page, 'Save')
    await page.getByText('Saved “With an image”.').waitFor()
    const wideEvent = await e2e.findEvent('With an image')
    expect(await readImageSize(page, String(wideEvent?.imageUrl))).toEqual([320, 180])
    await pressInDialog(page, 'With an image', 'Edit')
    await chooseImage(page, drawEvening(320, 180))
    await page.getByRole('radio', { name: 'Square' }).press('Space')
    await page.getByRole('slider', { name: 'Left to right' }).press('End')
    await pressButton(page, 'Save')
    await dialog(page, 'Edit “With an image”').waitFor({ state: 'detached' })
    const square = await e2e.findEvent('With an image')
    expect(await readImageSize(page, String(square?.imageUrl))).toEqual([180, 180])
    await pressInDialog(page, 'With an image', 'Edit')
    await pressButton(page, 'Remove image')
    await pressButton(page, 'Save')
    await dialog(page, 'Edit “With an image”').waitFor({ state: 'detached' })
    expect((await e2e.findEvent('With an image'))?.imageUrl).toBeNull()
    await expectNoPageErrors(tab)
  })

  test('is dropped or pasted, and compressed to the limit', async () => {
    const large = drawNoise(900, 900)
    expect(large.length).toBeGreaterThan(MAX_IMAGE_BYTES)
    const { page } = await e2e.openEventsScreen()
    await pressButton(page, 'New event')
    await fillIn(page, { Title: 'Snow', Starts: '2031-05-01T18:00' })
    const dispatchFile = (event: string, transferField: string, of: Buffer) =>
      page.evaluate(`(() => {
        const bytes = Uint8Array.from(atob('${of.toString('base64')}'), (one) => one.charCodeAt(0))
        const data = new DataTransfer()
        data.items.add(new File([bytes], 'one.png', { type: 'image/png' }))
        const target = ${event}
        target.dispatchEvent(new ${transferField})
      })()`)
    await dispatchFile(
      'document.activeElement',
      `ClipboardEvent('paste', { clipboardData: data, bubbles: true })`,
      drawEvening(64, 64),
    )
    await preview(page).waitFor()
    await pressButton(page, 'Remove image')
    await preview(page).waitFor({ state: 'detached' })
    const buttonExpression = `[...document.querySelectorAll('button')].find((one) => one.textContent === 'Choose image')`
    await dispatchFile(
      buttonExpression,
      `DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true })`,
      large,
    )
    await preview(page).waitFor()
    await page.getByRole('radio', { name: 'Whole image' }).press('Space')
    await pressButton(page, 'Save as draft')
    await page.getByText('Saved “Snow” as a draft.').waitFor()
    const storedImage = await downloadImage(page, await e2e.findEvent('Snow'))
    expect(storedImage.status()).toBe(200)
    expect((await storedImage.body()).byteLength).toBeLessThanOrEqual(MAX_IMAGE_BYTES)
    expect(await readImageSize(page, storedImage.url())).toEqual([900, 900])
  })

  test('is not pasted with a text that carries a picture of itself', async () => {
    const tab = await e2e.openEventsScreen()
    const { page } = tab
    await pressButton(page, 'New event')
    await copyTextWithPicture(tab, 'Patrol at dawn', drawEvening(64, 64))
    await page.getByLabel('Title', { exact: true }).focus()
    await page.keyboard.press('Control+v')
    await expectSettled(() => readField(page, 'Title'), 'Patrol at dawn')
    expect(await preview(page).count()).toBe(0)
    await page.getByRole('button', { name: 'Choose image' }).focus()
    await page.keyboard.press('Control+v')
    await preview(page).waitFor()
    expect(await readField(page, 'Title')).toBe('Patrol at dawn')
  })

  test('on another host is linked, not loaded', async () => {
    const imageUrl = 'https://pictures.example/one.png'
    const { id } = await e2e.createEvent({
      title: 'Elsewhere',
      scheduledFor: '2031-06-01T18:00:00Z',
      imageUrl,
    })
    const tab = await e2e.openEventsScreen(`?event=${id}`)
    const link = tab.page.getByRole('link', { name: 'Image at pictures.example' })
    await link.waitFor()
    await expectSettled(() => link.getAttribute('href'), imageUrl)
    expect(await link.getAttribute('rel')).toContain('noreferrer')
    await expectNoPageErrors(tab)
  })
})
