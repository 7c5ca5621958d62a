import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { evening } from '../support/drawing.ts'
import { dialog, type Events, openEvents, pressIn } from '../support/events.ts'
import { expectSoon, failAt, fillIn, heading, noteOf, press, typedIn, until } from '../support/portal.ts'
import { PLANTED } from '../support/stay.ts'
import { expectCalm } from '../support/visit.ts'

/** A browser on a busy machine takes its time. */
setDefaultTimeout(60_000)

let at: Events
beforeAll(async () => {
  at = await openEvents()
}, 60_000)
afterEach(() => at.leave())
afterAll(() => at?.close())

describe('an event', () => {
  test('is made as a draft in the reader’s zone, which is named, and published with a way back', async () => {
    const workspaceId = await at.workspace('Brand new')
    const opening = await at.open('?view=agenda', { workspaceId })
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
    expect(await at.titled('Winter feast', workspaceId)).toMatchObject({
      scheduledFor: '2031-01-15T23:00:00.000Z',
      description: 'Bring\ncake.',
      published: 'false',
      eventType: 'event',
    })
    await pressIn(page, 'Winter feast', 'Publish')
    await page.getByText('“Winter feast” is published.').waitFor()
    await shown.getByText('Draft', { exact: true }).waitFor({ state: 'detached' })
    expect(await at.titled('Winter feast', workspaceId)).toMatchObject({ published: 'true' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await shown.getByText('Draft', { exact: true }).waitFor()
    expect(await at.titled('Winter feast', workspaceId)).toMatchObject({ published: 'false' })
    await expectCalm(opening)
    expect(opening.complaints).toEqual([])
  })

  test('has the fields of a training only while it is one, and loses them with that', async () => {
    const { page } = await at.open()
    await press(page, 'New event')
    await fillIn(page, { Title: 'Flight school', Begins: '2031-07-01T18:00' })
    expect(await page.getByLabel('Training ends').count()).toBe(0)
    await page.getByLabel('Type', { exact: true }).selectOption('training')
    await page.getByText('Empty: after an hour, 19:00.').waitFor()
    await fillIn(page, { 'Training ends': '2031-07-01T17:00', 'Held by': 'Ossian' })
    await press(page, 'Save as draft')
    const sentence = 'Training ends has to be later than the start of the training.'
    await page.getByText(sentence).waitFor()
    await expectSoon(() => noteOf(page, 'Training ends'), ['true', sentence])
    await until(page, 'document.activeElement.name === "trainingEnd"')
    await fillIn(page, { 'Training starts': '2031-07-01T18:30', 'Training ends': '2031-07-01T20:00' })
    await press(page, 'Save as draft')
    await dialog(page, 'Flight school').getByText('Held by Ossian').waitFor()
    expect(await at.titled('Flight school')).toMatchObject({
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
    expect(await at.titled('Flight school')).toMatchObject({
      eventType: 'meeting',
      trainingStart: null,
      trainingEnd: null,
      trainingHost: null,
    })
  })

  test('that somebody else changed meanwhile keeps what both changed', async () => {
    const { id } = await at.plan({ title: 'Patrol', scheduledFor: '2031-02-01T18:00:00Z' })
    const { page } = await at.open(`?event=${id}`)
    await pressIn(page, 'Patrol', 'Edit')
    await fillIn(page, { Description: 'At the gate.' })
    await at.asOwner('PATCH', '/api/events', { id, title: 'Night patrol' })
    await press(page, 'Save')
    await page.getByText('Somebody else changed this event meanwhile.').waitFor()
    await expectSoon(() => typedIn(page, 'Description'), 'At the gate.')
    await press(page, 'Save')
    await dialog(page, 'Night patrol').getByText('At the gate.').waitFor()
    expect(await at.titled('Night patrol')).toMatchObject({ description: 'At the gate.' })
  })

  test('is duplicated as a draft at the same hour, in a week that is still to come, with all that it has', async () => {
    const { id, imageUrl } = await at.plan({
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
    const { page } = await at.open(`?event=${id}`)
    await pressIn(page, 'Cadet training', 'Duplicate')
    const begins = await typedIn(page, 'Begins')
    expect(begins).toEndWith('T18:00')
    expect(new Date(begins).getDay()).toBe(2)
    expect(new Date(begins).getTime()).toBeGreaterThan(Date.now() - 86_400_000)
    await expectSoon(() => typedIn(page, 'Training starts'), begins.replace('18:00', '19:00'))
    await fillIn(page, { Title: 'Cadet training, again' })
    await press(page, 'Save as draft')
    await page.getByText('“Cadet training, again” is saved as a draft.').waitFor()
    const copy = await at.titled('Cadet training, again')
    expect(copy).toMatchObject({ imageUrl, published: 'false', experienceName: 'Training grounds' })
    expect((await at.titled('Cadet training'))?.published).toBe('true')
  })

  test('is deleted after a question that names it', async () => {
    const { id } = await at.plan({ title: 'Rained off', scheduledFor: '2031-03-01T18:00:00Z' })
    const { page } = await at.open(`?event=${id}`)
    await pressIn(page, 'Rained off', 'Delete')
    const question = dialog(page, 'Delete “Rained off”?')
    await question.getByText('The draft of Saturday, 1 March 2031 at 13:00 is deleted for good').waitFor()
    expect(await at.titled('Rained off')).toBeDefined()
    await question.getByRole('button', { name: 'Delete the event' }).click()
    await page.getByText('Deleted “Rained off”.').waitFor()
    expect(await at.titled('Rained off')).toBeUndefined()
    await until(page, '!document.querySelector("[role=dialog]")')
    await page.goto(`${at.place.origin}/w/${at.owner.workspaceId}/events?event=${id}`)
    await page.getByText('This event is not here').waitFor()
  })

  test.each(['no-preference', 'reduce'] as const)(
    'is not lost with what was typed by shutting its form, or by going back, motion: %s',
    async (reducedMotion) => {
      const { page } = await at.open('', { options: { reducedMotion } })
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
      await expectSoon(() => typedIn(page, 'Title'), 'Half done')
      await page.evaluate('history.back()')
      await dialog(page, 'Throw away what you typed?').waitFor()
      await page.keyboard.press('Escape')
      await expectSoon(() => typedIn(page, 'Title'), 'Half done')
      await pressIn(page, 'New event', 'Cancel')
      await pressIn(page, 'Throw away what you typed?', 'Throw it away')
      await until(page, '!document.querySelector("[role=dialog]")')
      expect(await at.titled('Half done')).toBeUndefined()
    },
  )
})

test('texts that look like script are shown as they are, and run nothing', async () => {
  const { id } = await at.plan({
    title: PLANTED,
    description: PLANTED,
    eventType: 'training',
    scheduledFor: '2032-03-01T18:00:00Z',
    trainingHost: PLANTED,
    experienceName: PLANTED,
    experienceUrl: 'https://games.example/"><script>planted=1</script>',
  })
  const opening = await at.open(`?view=month&on=2032-03-01&event=${id}`)
  const { page } = opening
  const shown = dialog(page, PLANTED)
  await shown.getByText(`Held by ${PLANTED}`).waitFor()
  await page.keyboard.press('Escape')
  for (const view of ['Week', 'Agenda']) await page.getByText(view, { exact: true }).click()
  await page.getByRole('button', { name: PLANTED }).click()
  await shown.getByRole('button', { name: 'Edit' }).click()
  await expectSoon(() => typedIn(page, 'Title'), PLANTED)
  await press(page, 'Cancel')
  await shown.getByRole('button', { name: 'Delete' }).click()
  await dialog(page, `Delete “${PLANTED}”?`).waitFor()
  expect(await page.evaluate('"planted" in globalThis')).toBe(false)
  await expectCalm(opening)
})

test('what cannot be read is told with a way to try again, and a form keeps what was typed', async () => {
  const { page, context } = await at.open('?view=month')
  await press(page, 'New event')
  await press(page, 'Save as draft')
  await page.getByText('Title is required.').waitFor()
  await page.getByText('Begins is required.').waitFor()
  await fillIn(page, { Title: 'Kept', Begins: '2032-04-01T18:00', Description: 'As it was typed' })
  await context.setOffline(true)
  await press(page, 'Save as draft')
  await page.getByText('You are offline. Try again once you are connected.').waitFor()
  await expectSoon(() => typedIn(page, 'Description'), 'As it was typed')
  await context.setOffline(false)
  await press(page, 'Save as draft')
  await page.getByText('“Kept” is saved as a draft.').waitFor()
  expect((await at.events()).filter(({ title }) => title === 'Kept')).toHaveLength(1)
  await failAt(page, '**/api/events?*')
  await page.goto(`${at.place.origin}/w/${at.owner.workspaceId}/events?view=agenda&on=2032-04-01`)
  await page.getByText('This failed here.').waitFor()
  await page.unroute('**/api/events?*')
  await press(page, 'Try again')
  await page.getByText('Kept').waitFor()
})
