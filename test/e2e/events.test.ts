import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { evening, noise } from '../support/drawing.ts'
import { fillIn, heading, noteOf, press, typedIn, until } from '../support/portal.ts'
import { openStay, PLANTED, type Stay } from '../support/stay.ts'
import { expectCalm } from '../support/visit.ts'

/** A browser on a busy machine takes its time. */
setDefaultTimeout(30_000)

let at: Stay
beforeAll(async () => {
  at = await openStay()
}, 60_000)
afterEach(() => at.leave())
afterAll(() => at?.close())

/** Not where the tests run, and west of where they do: five hours behind, four in the summer. */
const NEW_YORK = { timezoneId: 'America/New_York', locale: 'en-GB', viewport: { width: 1440, height: 900 } }
const PHONE = { ...NEW_YORK, viewport: { width: 360, height: 740 } }
const MAX_IMAGE_BYTES = 2 * 1024 * 1024

const visit = (
  path = '',
  { session = at.owner.session, workspaceId = at.owner.workspaceId, options = NEW_YORK } = {},
) => at.visit(session, `/w/${workspaceId}/events${path}`, 'Events', options)

const plan = async (event: object, workspaceId = at.owner.workspaceId) =>
  (await at.asOwner('POST', '/api/events', event, workspaceId)).event

/** The events of a workspace, as its owner reads them. */
async function events(workspaceId = at.owner.workspaceId) {
  const { body } = await at.place.must('GET', `/api/events?workspaceId=${workspaceId}&limit=200`, at.owner)
  return body.events as Record<string, string | null>[]
}
const titled = async (title: string, workspaceId = at.owner.workspaceId) =>
  (await events(workspaceId)).find((one) => one.title === title)

const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })
const pressIn = (page: Page, dialogName: string | RegExp, name: string) =>
  dialog(page, dialogName).getByRole('button', { name, exact: true }).click()
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

describe('an event', () => {
  test('is made as a draft in the reader’s zone, which is named, and published with a way back', async () => {
    const workspaceId = await at.workspace('Brand new')
    const opening = await visit('?view=agenda', { workspaceId })
    const { page } = opening
    await page.getByText('Nothing is planned from here on').waitFor()
    await page.getByText('Times are in your zone, America/New York').waitFor()
    await press(page, 'Plan an event')
    await fillIn(page, { Title: 'Winter feast', Begins: '2031-01-15T18:00', Description: 'Bring\ncake.' })
    await page.getByText('In your time zone, America/New York, GMT-5.').waitFor()
    await press(page, 'Save as draft')
    await page.getByText('“Winter feast” is saved as a draft.').waitFor()
    const shown = dialog(page, 'Winter feast')
    await shown.getByText('Draft', { exact: true }).waitFor()
    expect(await titled('Winter feast', workspaceId)).toMatchObject({
      scheduledFor: '2031-01-15T23:00:00.000Z',
      description: 'Bring\ncake.',
      published: 'false',
      eventType: 'event',
    })
    await pressIn(page, 'Winter feast', 'Publish')
    await page.getByText('“Winter feast” is published.').waitFor()
    await shown.getByText('Draft', { exact: true }).waitFor({ state: 'detached' })
    expect(await titled('Winter feast', workspaceId)).toMatchObject({ published: 'true' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await shown.getByText('Draft', { exact: true }).waitFor()
    expect(await titled('Winter feast', workspaceId)).toMatchObject({ published: 'false' })
    await expectCalm(opening)
    expect(opening.complaints).toEqual([])
  })

  test('has the fields of a training only while it is one, and loses them with that', async () => {
    const { page } = await visit()
    await press(page, 'New event')
    await fillIn(page, { Title: 'Flight school', Begins: '2031-07-01T18:00' })
    expect(await page.getByLabel('Training ends').count()).toBe(0)
    await page.getByLabel('Type', { exact: true }).selectOption('training')
    await page.getByText('Empty: after an hour, 19:00.').waitFor()
    await fillIn(page, { 'Training ends': '2031-07-01T17:00', 'Held by': 'Ossian' })
    await press(page, 'Save as draft')
    const sentence = 'Training ends has to be later than the start of the training.'
    await page.getByText(sentence).waitFor()
    expect(await noteOf(page, 'Training ends')).toEqual(['true', sentence])
    await until(page, 'document.activeElement.name === "trainingEnd"')
    await fillIn(page, { 'Training starts': '2031-07-01T18:30', 'Training ends': '2031-07-01T20:00' })
    await press(page, 'Save as draft')
    await dialog(page, 'Flight school').getByText('Held by Ossian').waitFor()
    expect(await titled('Flight school')).toMatchObject({
      eventType: 'training',
      trainingStart: '2031-07-01T22:30:00.000Z',
      trainingEnd: '2031-07-02T00:00:00.000Z',
      trainingHost: 'Ossian',
    })
    await pressIn(page, 'Flight school', 'Edit')
    await page.getByLabel('Type', { exact: true }).selectOption('meeting')
    expect(await page.getByLabel('Held by').count()).toBe(0)
    await press(page, 'Save')
    await page.getByText('Changed “Flight school”.').waitFor()
    expect(await titled('Flight school')).toMatchObject({
      eventType: 'meeting',
      trainingStart: null,
      trainingEnd: null,
      trainingHost: null,
    })
  })

  test('that somebody else changed meanwhile keeps what both changed', async () => {
    const { id } = await plan({ title: 'Patrol', scheduledFor: '2031-02-01T18:00:00Z' })
    const { page } = await visit(`?event=${id}`)
    await pressIn(page, 'Patrol', 'Edit')
    await fillIn(page, { Description: 'At the gate.' })
    await at.asOwner('PATCH', '/api/events', { id, title: 'Night patrol' })
    await press(page, 'Save')
    await page.getByText('Somebody else changed this event meanwhile.').waitFor()
    expect(await typedIn(page, 'Description')).toBe('At the gate.')
    await press(page, 'Save')
    await dialog(page, 'Night patrol').getByText('At the gate.').waitFor()
    expect(await titled('Night patrol')).toMatchObject({ description: 'At the gate.' })
  })

  test('is duplicated as a draft at the same hour, in a week that is still to come, with all that it has', async () => {
    const { id, imageUrl } = await plan({
      title: 'Cadet training',
      eventType: 'training',
      // The clocks of New York go forward on the 9th: 18:00 there is another hour of the world then.
      scheduledFor: '2025-03-04T23:00:00Z',
      trainingStart: '2025-03-05T00:00:00Z',
      trainingEnd: '2025-03-05T02:00:00Z',
      experienceName: 'Training grounds',
      imageDataUrl: `data:image/png;base64,${evening(64, 36).toString('base64')}`,
      published: 'true',
    })
    const { page } = await visit(`?event=${id}`)
    await pressIn(page, 'Cadet training', 'Duplicate')
    const begins = await typedIn(page, 'Begins')
    expect(begins).toEndWith('T18:00')
    expect(new Date(begins).getDay()).toBe(2)
    expect(new Date(begins).getTime()).toBeGreaterThan(Date.now() - 86_400_000)
    expect(await typedIn(page, 'Training starts')).toBe(begins.replace('18:00', '19:00'))
    await fillIn(page, { Title: 'Cadet training, again' })
    await press(page, 'Save as draft')
    await page.getByText('“Cadet training, again” is saved as a draft.').waitFor()
    const copy = await titled('Cadet training, again')
    expect(copy).toMatchObject({ imageUrl, published: 'false', experienceName: 'Training grounds' })
    expect((await titled('Cadet training'))?.published).toBe('true')
  })

  test('is deleted after a question that names it', async () => {
    const { id } = await plan({ title: 'Rained off', scheduledFor: '2031-03-01T18:00:00Z' })
    const { page } = await visit(`?event=${id}`)
    await pressIn(page, 'Rained off', 'Delete')
    const question = dialog(page, 'Delete “Rained off”?')
    await question.getByText('The draft of Saturday, 1 March 2031 at 13:00 is deleted for good').waitFor()
    expect(await titled('Rained off')).toBeDefined()
    await question.getByRole('button', { name: 'Delete the event' }).click()
    await page.getByText('Deleted “Rained off”.').waitFor()
    expect(await titled('Rained off')).toBeUndefined()
    await until(page, '!document.querySelector("[role=dialog]")')
    await page.goto(`${at.place.origin}/w/${at.owner.workspaceId}/events?event=${id}`)
    await page.getByText('This event is not here').waitFor()
  })

  test('is not lost with what was typed by shutting its form, or by going back', async () => {
    const { page } = await visit()
    await page.getByRole('link', { name: 'People' }).first().click()
    await heading(page, 'People')
    await page.getByRole('link', { name: 'Events' }).first().click()
    await heading(page, 'Events')
    await press(page, 'New event')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await press(page, 'New event')
    await fillIn(page, { Title: 'Half done' })
    await page.keyboard.press('Escape')
    await pressIn(page, 'Throw away what you typed?', 'Go on editing')
    expect(await typedIn(page, 'Title')).toBe('Half done')
    await page.evaluate('history.back()')
    await dialog(page, 'Throw away what you typed?').waitFor()
    await page.keyboard.press('Escape')
    expect(await typedIn(page, 'Title')).toBe('Half done')
    await pressIn(page, 'New event', 'Cancel')
    await pressIn(page, 'Throw away what you typed?', 'Throw it away')
    await until(page, '!document.querySelector("[role=dialog]")')
    expect(await titled('Half done')).toBeUndefined()
  })
})

describe('the image of an event', () => {
  test('is chosen, cut as it is seen, and taken away again', async () => {
    const { id } = await plan({ title: 'With a picture', scheduledFor: '2031-04-01T18:00:00Z' })
    const opening = await visit(`?event=${id}`)
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
    const wide = await titled('With a picture')
    expect(await sizeOf(page, String(wide?.imageUrl))).toEqual([320, 180])
    await pressIn(page, 'With a picture', 'Edit')
    await choose(page, evening(320, 180))
    await page.getByRole('radio', { name: 'Square' }).press('Space')
    await page.getByRole('slider', { name: 'Left to right' }).press('End')
    await press(page, 'Save')
    await dialog(page, 'Edit “With a picture”').waitFor({ state: 'detached' })
    const square = await titled('With a picture')
    expect(await sizeOf(page, String(square?.imageUrl))).toEqual([180, 180])
    await pressIn(page, 'With a picture', 'Edit')
    await press(page, 'Remove the image')
    await press(page, 'Save')
    await dialog(page, 'Edit “With a picture”').waitFor({ state: 'detached' })
    expect((await titled('With a picture'))?.imageUrl).toBeNull()
    await expectCalm(opening)
  })

  test('is dropped or pasted, and made as small as it may be', async () => {
    const large = noise(900, 900)
    expect(large.length).toBeGreaterThan(MAX_IMAGE_BYTES)
    const { page } = await visit()
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
    const kept = await imageOf(await titled('Snow'))
    expect(kept.status).toBe(200)
    expect((await kept.arrayBuffer()).byteLength).toBeLessThanOrEqual(MAX_IMAGE_BYTES)
    expect(await sizeOf(page, kept.url)).toEqual([900, 900])
  })

  test('of another host is linked to, and not loaded', async () => {
    const imageUrl = 'https://pictures.example/one.png'
    const { id } = await plan({ title: 'Elsewhere', scheduledFor: '2031-06-01T18:00:00Z', imageUrl })
    const opening = await visit(`?event=${id}`)
    const link = opening.page.getByRole('link', { name: 'Image at pictures.example' })
    await link.waitFor()
    expect(await link.getAttribute('href')).toBe(imageUrl)
    expect(await link.getAttribute('rel')).toContain('noreferrer')
    await expectCalm(opening)
  })
})

describe('the calendar', () => {
  test('shows a month, a week or an agenda, and the address keeps which', async () => {
    const workspaceId = await at.workspace('Calendar')
    // Late in the evening of the 15th for the reader, though it is the 16th already by the clock of the world.
    await plan({ title: 'Late show', scheduledFor: '2031-10-16T03:30:00Z' }, workspaceId)
    await plan({ title: 'Tryouts', eventType: 'tryout', scheduledFor: '2031-10-20T18:00:00Z' }, workspaceId)
    const { page } = await visit('?view=month&on=2031-10-01', { workspaceId })
    await page.getByRole('heading', { name: 'October 2031' }).waitFor()
    await page.getByRole('button', { name: '23:30 Late show Event, draft' }).waitFor()
    await page.getByRole('button', { name: /15 October 2031, 1 event$/ }).waitFor()
    await page.getByText('Week', { exact: true }).click()
    await press(page, 'Later: the week after')
    await press(page, 'Later: the week after')
    await page.getByRole('heading', { name: /^13\s?–\s?19 Oct 2031$/ }).waitFor()
    const day = page.getByRole('list', { name: /15 October 2031$/ })
    await day.getByRole('button', { name: /Late show/ }).waitFor()
    await page.getByText('Agenda', { exact: true }).click()
    await page.getByText('Tryouts').waitFor()
    await page.getByLabel('Type of events').selectOption('tryout')
    await page.getByText('Late show').waitFor({ state: 'detached' })
    await page.reload()
    await page.getByText('Tryouts').waitFor()
    expect(await page.getByText('Late show').count()).toBe(0)
    expect(new URL(page.url()).search).toBe('?view=agenda&on=2031-10-15&type=tryout')
  })

  test('is gone through with the keys, and an event is made on a day without a pointer', async () => {
    const workspaceId = await at.workspace('Keys')
    const { page } = await visit('?view=month&on=2031-10-15', { workspaceId })
    await page.getByRole('button', { name: /15 October 2031, no events$/ }).focus()
    const isAt = (day: string) => until(page, `document.activeElement.dataset.day === '${day}'`)
    for (const [key, day] of [
      ['ArrowRight', '2031-10-16'],
      ['ArrowDown', '2031-10-23'],
      ['Home', '2031-10-20'],
      ['PageDown', '2031-11-20'],
    ] as const) {
      await page.keyboard.press(key)
      await isAt(day)
    }
    await page.keyboard.press('Enter')
    await dialog(page, /20 November 2031$/).waitFor()
    await page.getByRole('button', { name: 'New event on this day' }).press('Enter')
    expect(await typedIn(page, 'Begins')).toBe('2031-11-20T18:00')
    await page.getByLabel('Title', { exact: true }).focus()
    await page.keyboard.type('By hand')
    await page.keyboard.press('Enter')
    await page.getByText('“By hand” is saved as a draft.').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: '18:00 By hand Event, draft' }).waitFor()
  })

  test('is an agenda on a phone, and shows what somebody else plans within a second', async () => {
    const workspaceId = await at.workspace('Live')
    const { page } = await visit('', { workspaceId, options: PHONE })
    await page.getByText('Nothing is planned from here on').waitFor()
    const scheduledFor = new Date(Date.now() + 3_600_000).toISOString()
    await plan({ title: 'Just now', scheduledFor, published: 'true' }, workspaceId)
    await page.getByText('Just now').waitFor({ timeout: 2000 })
  })
})

describe('who may not', () => {
  const [draft, shown] = ['Secret plan', 'Open day']

  test('manage events, sees what is published, and can do nothing to it', async () => {
    const { workspaceId } = at.owner
    await plan({ title: draft, scheduledFor: '2032-01-10T18:00:00Z' })
    const { id } = await plan({ title: shown, scheduledFor: '2032-01-11T18:00:00Z', published: 'true' })
    const session = await at.place.member(at.owner, 'reader', ['events.view'])
    const { page } = await visit('?view=agenda&on=2032-01-01', { session })
    await page.getByRole('button', { name: shown }).click()
    await dialog(page, shown).getByText('in your time zone').waitFor()
    expect(await page.getByText(draft).count()).toBe(0)
    expect(await page.getByRole('button', { name: 'New event' }).count()).toBe(0)
    for (const name of ['Edit', 'Duplicate', 'Delete', 'Take back to draft'])
      expect(await page.getByRole('button', { name }).count()).toBe(0)
    const refused = await at.place.call('PATCH', '/api/events', {
      session,
      body: { workspaceId, id, title: 'x' },
    })
    expect([refused.status, refused.body.permission]).toEqual([403, 'events.manage'])
  })

  test('publish events, prepares them, and is told who publishes', async () => {
    const { workspaceId } = at.owner
    const session = await at.place.member(at.owner, 'planner', ['events.view', 'events.manage'])
    const { page } = await visit('', { session })
    await press(page, 'New event')
    await page.getByText('None of your roles may publish events or take them back.').waitFor()
    await fillIn(page, { Title: 'Prepared', Begins: '2032-02-01T18:00' })
    await press(page, 'Save as draft')
    await dialog(page, 'Prepared').getByText('Whoever may publish them makes this one seen.').waitFor()
    expect(await page.getByRole('button', { name: 'Publish' }).count()).toBe(0)
    const id = (await titled('Prepared'))?.id
    const refused = await at.place.call('PATCH', '/api/events', {
      session,
      body: { workspaceId, id, published: 'true' },
    })
    expect([refused.status, refused.body.permission]).toEqual([403, 'events.publish'])
  })

  test('read events at all, is told so', async () => {
    const session = await at.place.member(at.owner, 'stranger', ['members.view'])
    const { page } = await visit('', { session })
    await page.getByText('This is not for you to see').waitFor()
  })
})

test('texts that look like script are shown as they are, and run nothing', async () => {
  const { id } = await plan({
    title: PLANTED,
    description: PLANTED,
    eventType: 'training',
    scheduledFor: '2032-03-01T18:00:00Z',
    trainingHost: PLANTED,
    experienceName: PLANTED,
    experienceUrl: 'https://games.example/"><script>planted=1</script>',
  })
  const opening = await visit(`?view=month&on=2032-03-01&event=${id}`)
  const { page } = opening
  const shown = dialog(page, PLANTED)
  await shown.getByText(`Held by ${PLANTED}`).waitFor()
  await page.keyboard.press('Escape')
  for (const view of ['Week', 'Agenda']) await page.getByText(view, { exact: true }).click()
  await page.getByRole('button', { name: PLANTED }).click()
  await shown.getByRole('button', { name: 'Edit' }).click()
  expect(await typedIn(page, 'Title')).toBe(PLANTED)
  await press(page, 'Cancel')
  await shown.getByRole('button', { name: 'Delete' }).click()
  await dialog(page, `Delete “${PLANTED}”?`).waitFor()
  expect(await page.evaluate('"planted" in globalThis')).toBe(false)
  await expectCalm(opening)
})

test('what cannot be read is told with a way to try again, and a form keeps what was typed', async () => {
  const { page, context } = await visit('?view=month')
  await press(page, 'New event')
  await press(page, 'Save as draft')
  await page.getByText('Title is required.').waitFor()
  await page.getByText('Begins is required.').waitFor()
  await fillIn(page, { Title: 'Kept', Begins: '2032-04-01T18:00', Description: 'As it was typed' })
  await context.setOffline(true)
  await press(page, 'Save as draft')
  await page.getByText('You are offline. Try again once you are connected.').waitFor()
  expect(await typedIn(page, 'Description')).toBe('As it was typed')
  await context.setOffline(false)
  await press(page, 'Save as draft')
  await page.getByText('“Kept” is saved as a draft.').waitFor()
  expect((await events()).filter(({ title }) => title === 'Kept')).toHaveLength(1)
  const body = JSON.stringify({ error: 'This failed here.', code: 'internal_error', requestId: 'r-1' })
  const broken = { status: 500, contentType: 'application/json', body }
  await page.route('**/api/events?*', (route) => route.fulfill(broken))
  await page.goto(`${at.place.origin}/w/${at.owner.workspaceId}/events?view=agenda&on=2032-04-01`)
  await page.getByText('This failed here.').waitFor()
  await page.unroute('**/api/events?*')
  await press(page, 'Try again')
  await page.getByText('Kept').waitFor()
})

test('an archived workspace can be read, and nothing is planned in it', async () => {
  const workspaceId = await at.workspace('Closed')
  const { session } = at.owner
  const { id } = await plan({ title: 'The last one', scheduledFor: '2032-05-01T18:00:00Z' }, workspaceId)
  await at.place.must('POST', '/api/workspaces', { session, body: { id: workspaceId, action: 'archive' } })
  const { page } = await visit(`?view=agenda&on=2032-05-01&event=${id}`, { workspaceId })
  await dialog(page, 'The last one').getByText('in your time zone').waitFor()
  for (const name of ['Edit', 'Publish', 'Delete', 'New event'])
    expect(await page.getByRole('button', { name, exact: true }).count()).toBe(0)
})
