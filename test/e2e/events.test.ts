import { describe, expect, test } from 'bun:test'
import { useSession } from '../support/e2e-session.ts'
import { dialog, openEventsSession, pressInDialog } from '../support/events.ts'
import {
  expectSettled,
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

/** Browser tests are slow on a busy machine. */

const e2e = useSession(openEventsSession)

describe('an event', () => {
  test('is created as a draft in the user’s time zone, which is shown, and published with an undo action', async () => {
    const workspaceId = await e2e.createWorkspace('Brand new')
    const tab = await e2e.openEventsScreen('?view=agenda', { workspaceId })
    const { page } = tab
    await page.getByText('No upcoming events').waitFor()
    await page.getByText('Times are shown in America/New York').waitFor()
    await pressButton(page, 'New event')
    await fillIn(page, { Title: 'Winter feast', Starts: '2031-01-15T18:00', Description: 'Bring\ncake.' })
    await page.getByText('In your time zone, America/New York, GMT-5.').waitFor()
    await pressButton(page, 'Save as draft')
    await page.getByText('Saved “Winter feast” as a draft.').waitFor()
    const eventDialog = dialog(page, 'Winter feast')
    await eventDialog.getByText('Draft', { exact: true }).waitFor()
    expect(await e2e.findEvent('Winter feast', workspaceId)).toMatchObject({
      scheduledFor: '2031-01-15T23:00:00.000Z',
      description: 'Bring\ncake.',
      published: 'false',
      eventType: 'event',
    })
    await pressInDialog(page, 'Winter feast', 'Publish')
    await page.getByText('Published “Winter feast”.').waitFor()
    await eventDialog.getByText('Draft', { exact: true }).waitFor({ state: 'detached' })
    expect(await e2e.findEvent('Winter feast', workspaceId)).toMatchObject({ published: 'true' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await eventDialog.getByText('Draft', { exact: true }).waitFor()
    expect(await e2e.findEvent('Winter feast', workspaceId)).toMatchObject({ published: 'false' })
    await expectNoPageErrors(tab)
    expect(tab.pageErrors).toEqual([])
  })

  test('is shown in the user’s time zone, with its offset on the selected day', async () => {
    for (const [day, offset] of [
      ['2031-01-15', 'GMT-5'],
      ['2031-07-15', 'GMT-4'],
    ]) {
      const { page } = await e2e.openEventsScreen(`?view=month&on=${day}`)
      await page.getByText(`Times are shown in America/New York, ${offset}.`).waitFor()
    }
  })

  test('has an end and a host for every type, and the start of a training only as long as it is one', async () => {
    const { page } = await e2e.openEventsScreen()
    await pressButton(page, 'New event')
    await fillIn(page, { Title: 'Flight school', Starts: '2031-07-01T18:00' })
    expect(await page.getByLabel('Training starts').count()).toBe(0)
    await page.getByLabel('Type', { exact: true }).selectOption('training')
    await page.getByText('Default: after one hour, 19:00.').waitFor()
    await fillIn(page, { Ends: '2031-07-01T17:00' })
    await page.getByRole('combobox', { name: 'Host' }).fill('Ossian')
    await pressButton(page, 'Save as draft')
    const message = 'Ends must be after the start.'
    await page.getByText(message).waitFor()
    await expectSettled(() => readFieldNote(page, 'Ends'), ['true', message])
    await waitUntil(page, 'document.activeElement.name === "endsAt"')
    await fillIn(page, { 'Training starts': '2031-07-01T18:30', Ends: '2031-07-01T20:00' })
    await pressButton(page, 'Save as draft')
    await dialog(page, 'Flight school').getByText('Host: Ossian').waitFor()
    expect(await e2e.findEvent('Flight school')).toMatchObject({
      eventType: 'training',
      trainingStart: '2031-07-01T22:30:00.000Z',
      trainingEnd: '2031-07-02T00:00:00.000Z',
      trainingHost: 'Ossian',
    })
    await pressInDialog(page, 'Flight school', 'Edit')
    await page.getByLabel('Type', { exact: true }).selectOption('meeting')
    expect(await page.getByLabel('Training starts').count()).toBe(0)
    // The clocks of New York change on 2 November.
    await fillIn(page, { Starts: '2031-11-01T18:00', Ends: '2031-11-02T03:00' })
    await pressButton(page, 'Save')
    await page.getByText('Saved “Flight school”.').waitFor()
    expect(await e2e.findEvent('Flight school')).toMatchObject({
      eventType: 'meeting',
      scheduledFor: '2031-11-01T22:00:00.000Z',
      endsAt: '2031-11-02T08:00:00.000Z',
      trainingStart: null,
      trainingHost: 'Ossian',
    })
  })

  test('is hosted by a member who is chosen from the staff, or by a guest', async () => {
    const workspaceId = await e2e.createWorkspace('Hosts')
    await e2e.server.addMember({ ...e2e.owner, workspaceId }, 'sena')
    const { page } = await e2e.openEventsScreen('', { workspaceId })
    await pressButton(page, 'New event')
    await fillIn(page, { Title: 'Patrol', Starts: '2031-07-01T18:00' })
    const host = page.getByRole('combobox', { name: 'Host' })
    await host.pressSequentially('se')
    await page.getByRole('option', { name: 'sena' }).click()
    await page.getByText('A member of this workspace.').waitFor()
    await pressButton(page, 'Save as draft')
    await dialog(page, 'Patrol').getByText('Host: sena').waitFor()
    const { hostAccountId } = (await e2e.findEvent('Patrol', workspaceId)) ?? {}
    expect(hostAccountId).toMatch(/^[0-9a-f-]{36}$/)

    await pressInDialog(page, 'Patrol', 'Duplicate')
    await fillIn(page, { Title: 'Patrol, again' })
    await pressButton(page, 'Save as draft')
    await page.getByText('Saved “Patrol, again” as a draft.').waitFor()
    expect(await e2e.findEvent('Patrol, again', workspaceId)).toMatchObject({ hostAccountId })

    await pressInDialog(page, 'Patrol, again', 'Edit')
    await host.fill('Ossian')
    await page.getByText('A guest: not a member of this workspace.').waitFor()
    await pressButton(page, 'Save')
    await dialog(page, 'Patrol, again').getByText('Host: Ossian').waitFor()
    expect(await e2e.findEvent('Patrol, again', workspaceId)).toMatchObject({
      hostAccountId: null,
      trainingHost: 'Ossian',
    })
  })

  test('that someone else changed in the meantime keeps both changes', async () => {
    const { id } = await e2e.createEvent({ title: 'Patrol', scheduledFor: '2031-02-01T18:00:00Z' })
    const { page } = await e2e.openEventsScreen(`?event=${id}`)
    await pressInDialog(page, 'Patrol', 'Edit')
    await fillIn(page, { Description: 'At the gate.' })
    await e2e.requestAsOwner('PATCH', '/api/events', { id, title: 'Night patrol' })
    await pressButton(page, 'Save')
    await page.getByText('Someone else changed this event while you were editing.').waitFor()
    await expectSettled(() => readField(page, 'Description'), 'At the gate.')
    await pressButton(page, 'Save')
    await dialog(page, 'Night patrol').getByText('At the gate.').waitFor()
    expect(await e2e.findEvent('Night patrol')).toMatchObject({ description: 'At the gate.' })
  })

  test('is saved without a change too, also after every change by someone else was taken', async () => {
    const { id } = await e2e.createEvent({ title: 'Drill', scheduledFor: '2031-02-02T18:00:00Z' })
    const { page } = await e2e.openEventsScreen(`?event=${id}`)
    const form = dialog(page, 'Edit “Drill”')
    await pressInDialog(page, 'Drill', 'Edit')
    await pressButton(page, 'Save')
    await form.waitFor({ state: 'detached' })
    await pressInDialog(page, 'Drill', 'Edit')
    await fillIn(page, { Title: 'Fire drill' })
    await e2e.requestAsOwner('PATCH', '/api/events', { id, title: 'Night drill' })
    await pressButton(page, 'Save')
    await page.getByRole('radio', { name: /^Take theirs/ }).check()
    await pressButton(page, 'Save')
    await form.waitFor({ state: 'detached' })
    await dialog(page, 'Night drill').waitFor()
    expect(await e2e.findEvent('Night drill')).toMatchObject({ version: '2' })
  })

  test('is duplicated with all fields as a draft at the same time of day in a future week', async () => {
    const { id, imageUrl } = await e2e.createEvent({
      title: 'Cadet training',
      eventType: 'training',
      // New York changes its clocks on the 9th, so 18:00 is another UTC time from then on.
      scheduledFor: '2025-03-04T23:00:00Z',
      trainingStart: '2025-03-05T00:00:00Z',
      trainingEnd: '2025-03-05T02:00:00Z',
      experienceName: 'Training grounds',
      imageDataUrl: `data:image/png;base64,${drawEvening(64, 36).toString('base64')}`,
      published: 'true',
    })
    const { page } = await e2e.openEventsScreen(`?event=${id}`)
    await pressInDialog(page, 'Cadet training', 'Duplicate')
    const startsValue = await readField(page, 'Starts')
    expect(startsValue).toEndWith('T18:00')
    expect(new Date(startsValue).getDay()).toBe(2)
    expect(new Date(startsValue).getTime()).toBeGreaterThan(Date.now() - 86_400_000)
    await expectSettled(() => readField(page, 'Training starts'), startsValue.replace('18:00', '19:00'))
    await fillIn(page, { Title: 'Cadet training, again' })
    await pressButton(page, 'Save as draft')
    await page.getByText('Saved “Cadet training, again” as a draft.').waitFor()
    const copy = await e2e.findEvent('Cadet training, again')
    expect(copy).toMatchObject({ imageUrl, published: 'false', experienceName: 'Training grounds' })
    expect((await e2e.findEvent('Cadet training'))?.published).toBe('true')
  })

  test('is deleted after a confirmation with its title', async () => {
    const { id } = await e2e.createEvent({ title: 'Rained off', scheduledFor: '2031-03-01T18:00:00Z' })
    const { page } = await e2e.openEventsScreen(`?event=${id}`)
    await pressInDialog(page, 'Rained off', 'Delete')
    const question = dialog(page, 'Delete “Rained off”?')
    await question
      .getByText('The draft of Saturday, 1 March 2031 at 13:00 will be permanently deleted')
      .waitFor()
    await page.keyboard.press('Escape')
    await question.waitFor({ state: 'detached' })
    // Only the dialog on top closes.
    await pressInDialog(page, 'Rained off', 'Delete')
    expect(await e2e.findEvent('Rained off')).toBeDefined()
    await question.getByRole('button', { name: 'Delete event' }).click()
    await page.getByText('Deleted “Rained off”.').waitFor()
    expect(await e2e.findEvent('Rained off')).toBeUndefined()
    await waitUntil(page, '!document.querySelector("[role=dialog]")')
    await page.goto(`${e2e.server.origin}/w/${e2e.owner.workspaceId}/events?event=${id}`)
    await page.getByText('Event not found').waitFor()
  })

  test.each(['no-preference', 'reduce'] as const)(
    'is not lost with its input by closing the form or going back, motion: %s',
    async (reducedMotion) => {
      const { page } = await e2e.openEventsScreen('', { options: { reducedMotion } })
      await page.getByRole('link', { name: 'People' }).first().click()
      await waitForHeading(page, 'People')
      await page.getByRole('link', { name: 'Events' }).first().click()
      await waitForHeading(page, 'Events')
      await pressButton(page, 'New event')
      await dialog(page, 'New event').waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await pressButton(page, 'New event')
      await fillIn(page, { Title: 'Half done' })
      await page.keyboard.press('Escape')
      await pressInDialog(page, 'Discard changes?', 'Keep editing')
      await expectSettled(() => readField(page, 'Title'), 'Half done')
      await page.evaluate('history.back()')
      await dialog(page, 'Discard changes?').waitFor()
      await page.keyboard.press('Escape')
      await expectSettled(() => readField(page, 'Title'), 'Half done')
      await pressInDialog(page, 'New event', 'Cancel')
      await pressInDialog(page, 'Discard changes?', 'Discard changes')
      await waitUntil(page, '!document.querySelector("[role=dialog]")')
      expect(await e2e.findEvent('Half done')).toBeUndefined()
    },
  )
})

test('scripts in texts are shown as plain text', async () => {
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
  await eventDialog.getByText(`Host: ${XSS_PAYLOAD}`).waitFor()
  await page.keyboard.press('Escape')
  for (const view of ['Week', 'Agenda']) await page.getByText(view, { exact: true }).click()
  await page.getByRole('button', { name: XSS_PAYLOAD }).click()
  await eventDialog.getByRole('button', { name: 'Edit' }).click()
  await expectSettled(() => readField(page, 'Title'), XSS_PAYLOAD)
  await pressButton(page, 'Cancel')
  await eventDialog.getByRole('button', { name: 'Delete' }).click()
  await dialog(page, `Delete “${XSS_PAYLOAD}”?`).waitFor()
  expect(await page.evaluate('"planted" in globalThis')).toBe(false)
  await expectNoPageErrors(tab)
})

test('a failed read shows an error with a retry button, and the form keeps its input', async () => {
  const { page, context } = await e2e.openEventsScreen('?view=month')
  await pressButton(page, 'New event')
  await pressButton(page, 'Save as draft')
  await page.getByText('Title is required.').waitFor()
  await page.getByText('Starts is required.').waitFor()
  await fillIn(page, { Title: 'Kept', Starts: '2032-04-01T18:00', Description: 'As it was typed' })
  await context.setOffline(true)
  await pressButton(page, 'Save as draft')
  await page.getByRole('dialog').getByText('You are offline. Try again once you are connected.').waitFor()
  await expectSettled(() => readField(page, 'Description'), 'As it was typed')
  await context.setOffline(false)
  await pressButton(page, 'Save as draft')
  await page.getByText('Saved “Kept” as a draft.').waitFor()
  expect((await e2e.listEvents()).filter(({ title }) => title === 'Kept')).toHaveLength(1)
  await failRequests(page, '**/api/events?*')
  await page.goto(`${e2e.server.origin}/w/${e2e.owner.workspaceId}/events?view=agenda&on=2032-04-01`)
  await page.getByText('This failed here.').waitFor()
  await page.unroute('**/api/events?*')
  await pressButton(page, 'Try again')
  await page.getByText('Kept').waitFor()
})
