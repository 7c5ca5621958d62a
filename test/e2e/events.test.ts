import { describe, expect, test } from 'bun:test'
import { useSession } from '../support/e2e-session.ts'
import { dialog, openEventsSession, pressInDialog } from '../support/events.ts'
import {
  expectEventually,
  failRequests,
  fillIn,
  pressButton,
  readField,
  readFieldNote,
  waitForHeading,
  waitUntil,
  XSS_PAYLOAD,
} from '../support/page-actions.ts'
import { expectNoPageErrors } from '../support/page-errors.ts'
import { drawEvening } from '../support/png.ts'

/** A browser on a busy machine takes its time. */

const e2e = useSession(openEventsSession)

describe('an event', () => {
  test('is made as a draft in the reader’s zone, which is named, and published with a way back', async () => {
    const workspaceId = await e2e.createWorkspace('Brand new')
    const tab = await e2e.openEventsScreen('?view=agenda', { workspaceId })
    const { page } = tab
    await page.getByText('Nothing is planned from here on').waitFor()
    await page.getByText('Times are in your zone, America/New York').waitFor()
    await pressButton(page, 'Plan an event')
    await fillIn(page, { Title: 'Winter feast', Begins: '2031-01-15T18:00', Description: 'Bring\ncake.' })
    await page.getByText('In your time zone, America/New York, GMT-5.').waitFor()
    await pressButton(page, 'Save as draft')
    await page.getByText('“Winter feast” is saved as a draft.').waitFor()
    const eventDialog = dialog(page, 'Winter feast')
    await eventDialog.getByText('Draft', { exact: true }).waitFor()
    expect(await e2e.findEvent('Winter feast', workspaceId)).toMatchObject({
      scheduledFor: '2031-01-15T23:00:00.000Z',
      description: 'Bring\ncake.',
      published: 'false',
      eventType: 'event',
    })
    await pressInDialog(page, 'Winter feast', 'Publish')
    await page.getByText('“Winter feast” is published.').waitFor()
    await eventDialog.getByText('Draft', { exact: true }).waitFor({ state: 'detached' })
    expect(await e2e.findEvent('Winter feast', workspaceId)).toMatchObject({ published: 'true' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await eventDialog.getByText('Draft', { exact: true }).waitFor()
    expect(await e2e.findEvent('Winter feast', workspaceId)).toMatchObject({ published: 'false' })
    await expectNoPageErrors(tab)
    expect(tab.pageErrors).toEqual([])
  })

  test('has the fields of a training only while it is one, and loses them with that', async () => {
    const { page } = await e2e.openEventsScreen()
    await pressButton(page, 'New event')
    await fillIn(page, { Title: 'Flight school', Begins: '2031-07-01T18:00' })
    expect(await page.getByLabel('Training ends').count()).toBe(0)
    await page.getByLabel('Type', { exact: true }).selectOption('training')
    await page.getByText('Empty: after an hour, 19:00.').waitFor()
    await fillIn(page, { 'Training ends': '2031-07-01T17:00', 'Held by': 'Ossian' })
    await pressButton(page, 'Save as draft')
    const message = 'Training ends has to be later than the start of the training.'
    await page.getByText(message).waitFor()
    await expectEventually(() => readFieldNote(page, 'Training ends'), ['true', message])
    await waitUntil(page, 'document.activeElement.name === "trainingEnd"')
    await fillIn(page, { 'Training starts': '2031-07-01T18:30', 'Training ends': '2031-07-01T20:00' })
    await pressButton(page, 'Save as draft')
    await dialog(page, 'Flight school').getByText('Held by Ossian').waitFor()
    expect(await e2e.findEvent('Flight school')).toMatchObject({
      eventType: 'training',
      trainingStart: '2031-07-01T22:30:00.000Z',
      trainingEnd: '2031-07-02T00:00:00.000Z',
      trainingHost: 'Ossian',
    })
    await pressInDialog(page, 'Flight school', 'Edit')
    await page.getByLabel('Type', { exact: true }).selectOption('meeting')
    expect(await page.getByLabel('Held by').count()).toBe(0)
    await pressButton(page, 'Save')
    await page.getByText('Changed “Flight school”.').waitFor()
    expect(await e2e.findEvent('Flight school')).toMatchObject({
      eventType: 'meeting',
      trainingStart: null,
      trainingEnd: null,
      trainingHost: null,
    })
  })

  test('that somebody else changed meanwhile keeps what both changed', async () => {
    const { id } = await e2e.createEvent({ title: 'Patrol', scheduledFor: '2031-02-01T18:00:00Z' })
    const { page } = await e2e.openEventsScreen(`?event=${id}`)
    await pressInDialog(page, 'Patrol', 'Edit')
    await fillIn(page, { Description: 'At the gate.' })
    await e2e.requestAsOwner('PATCH', '/api/events', { id, title: 'Night patrol' })
    await pressButton(page, 'Save')
    await page.getByText('Somebody else changed this event meanwhile.').waitFor()
    await expectEventually(() => readField(page, 'Description'), 'At the gate.')
    await pressButton(page, 'Save')
    await dialog(page, 'Night patrol').getByText('At the gate.').waitFor()
    expect(await e2e.findEvent('Night patrol')).toMatchObject({ description: 'At the gate.' })
  })

  test('is duplicated as a draft at the same hour, in a week that is still to come, with all that it has', async () => {
    const { id, imageUrl } = await e2e.createEvent({
      title: 'Cadet training',
      eventType: 'training',
      // The clocks of New York go forward on the 9th: 18:00 there is another hour of the world then.
      scheduledFor: '2025-03-04T23:00:00Z',
      trainingStart: '2025-03-05T00:00:00Z',
      trainingEnd: '2025-03-05T02:00:00Z',
      experienceName: 'Training grounds',
      imageDataUrl: `data:image/png;base64,${drawEvening(64, 36).toString('base64')}`,
      published: 'true',
    })
    const { page } = await e2e.openEventsScreen(`?event=${id}`)
    await pressInDialog(page, 'Cadet training', 'Duplicate')
    const beginsValue = await readField(page, 'Begins')
    expect(beginsValue).toEndWith('T18:00')
    expect(new Date(beginsValue).getDay()).toBe(2)
    expect(new Date(beginsValue).getTime()).toBeGreaterThan(Date.now() - 86_400_000)
    await expectEventually(() => readField(page, 'Training starts'), beginsValue.replace('18:00', '19:00'))
    await fillIn(page, { Title: 'Cadet training, again' })
    await pressButton(page, 'Save as draft')
    await page.getByText('“Cadet training, again” is saved as a draft.').waitFor()
    const copy = await e2e.findEvent('Cadet training, again')
    expect(copy).toMatchObject({ imageUrl, published: 'false', experienceName: 'Training grounds' })
    expect((await e2e.findEvent('Cadet training'))?.published).toBe('true')
  })

  test('is deleted after a question that names it', async () => {
    const { id } = await e2e.createEvent({ title: 'Rained off', scheduledFor: '2031-03-01T18:00:00Z' })
    const { page } = await e2e.openEventsScreen(`?event=${id}`)
    await pressInDialog(page, 'Rained off', 'Delete')
    const question = dialog(page, 'Delete “Rained off”?')
    await question.getByText('The draft of Saturday, 1 March 2031 at 13:00 is deleted for good').waitFor()
    expect(await e2e.findEvent('Rained off')).toBeDefined()
    await question.getByRole('button', { name: 'Delete the event' }).click()
    await page.getByText('Deleted “Rained off”.').waitFor()
    expect(await e2e.findEvent('Rained off')).toBeUndefined()
    await waitUntil(page, '!document.querySelector("[role=dialog]")')
    await page.goto(`${e2e.server.origin}/w/${e2e.owner.workspaceId}/events?event=${id}`)
    await page.getByText('This event is not here').waitFor()
  })

  test.each(['no-preference', 'reduce'] as const)(
    'is not lost with what was typed by shutting its form, or by going back, motion: %s',
    async (reducedMotion) => {
      const { page } = await e2e.openEventsScreen('', { options: { reducedMotion } })
      await page.getByRole('link', { name: 'People' }).first().click()
      await waitForHeading(page, 'People')
      await page.getByRole('link', { name: 'Events' }).first().click()
      await waitForHeading(page, 'Events')
      await pressButton(page, 'New event')
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await pressButton(page, 'New event')
      await fillIn(page, { Title: 'Half done' })
      await page.keyboard.press('Escape')
      await pressInDialog(page, 'Throw away what you typed?', 'Go on editing')
      await expectEventually(() => readField(page, 'Title'), 'Half done')
      await page.evaluate('history.back()')
      await dialog(page, 'Throw away what you typed?').waitFor()
      await page.keyboard.press('Escape')
      await expectEventually(() => readField(page, 'Title'), 'Half done')
      await pressInDialog(page, 'New event', 'Cancel')
      await pressInDialog(page, 'Throw away what you typed?', 'Throw it away')
      await waitUntil(page, '!document.querySelector("[role=dialog]")')
      expect(await e2e.findEvent('Half done')).toBeUndefined()
    },
  )
})

test('texts that look like script are shown as they are, and run nothing', async () => {
  const { id } = await e2e.createEvent({
    title: XSS_PAYLOAD,
    description: XSS_PAYLOAD,
    eventType: 'training',
    scheduledFor: '2032-03-01T18:00:00Z',
    trainingHost: XSS_PAYLOAD,
    experienceName: XSS_PAYLOAD,
    experienceUrl: 'https://games.example/"><script>planted=1</script>',
  })
  const tab = await e2e.openEventsScreen(`?view=month&on=2032-03-01&event=${id}`)
  const { page } = tab
  const eventDialog = dialog(page, XSS_PAYLOAD)
  await eventDialog.getByText(`Held by ${XSS_PAYLOAD}`).waitFor()
  await page.keyboard.press('Escape')
  for (const view of ['Week', 'Agenda']) await page.getByText(view, { exact: true }).click()
  await page.getByRole('button', { name: XSS_PAYLOAD }).click()
  await eventDialog.getByRole('button', { name: 'Edit' }).click()
  await expectEventually(() => readField(page, 'Title'), XSS_PAYLOAD)
  await pressButton(page, 'Cancel')
  await eventDialog.getByRole('button', { name: 'Delete' }).click()
  await dialog(page, `Delete “${XSS_PAYLOAD}”?`).waitFor()
  expect(await page.evaluate('"planted" in globalThis')).toBe(false)
  await expectNoPageErrors(tab)
})

test('what cannot be read is told with a way to try again, and a form keeps what was typed', async () => {
  const { page, context } = await e2e.openEventsScreen('?view=month')
  await pressButton(page, 'New event')
  await pressButton(page, 'Save as draft')
  await page.getByText('Title is required.').waitFor()
  await page.getByText('Begins is required.').waitFor()
  await fillIn(page, { Title: 'Kept', Begins: '2032-04-01T18:00', Description: 'As it was typed' })
  await context.setOffline(true)
  await pressButton(page, 'Save as draft')
  await page.getByText('You are offline. Try again once you are connected.').waitFor()
  await expectEventually(() => readField(page, 'Description'), 'As it was typed')
  await context.setOffline(false)
  await pressButton(page, 'Save as draft')
  await page.getByText('“Kept” is saved as a draft.').waitFor()
  expect((await e2e.listEvents()).filter(({ title }) => title === 'Kept')).toHaveLength(1)
  await failRequests(page, '**/api/events?*')
  await page.goto(`${e2e.server.origin}/w/${e2e.owner.workspaceId}/events?view=agenda&on=2032-04-01`)
  await page.getByText('This failed here.').waitFor()
  await page.unroute('**/api/events?*')
  await pressButton(page, 'Try again')
  await page.getByText('Kept').waitFor()
})
