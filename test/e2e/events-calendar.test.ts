import { describe, expect, test } from 'bun:test'
import { useSession } from '../support/e2e-session.ts'
import { dialog, openEventsSession } from '../support/events.ts'
import {
  expectSettled,
  PHONE,
  pressButton,
  RENDER_MS,
  readField,
  waitForRefetch,
  waitUntil,
} from '../support/page-actions.ts'

/** Browser tests are slow on a busy machine. */

const e2e = useSession(openEventsSession)

describe('the calendar', () => {
  test('shows a month, a week or an agenda, and the URL keeps the view', async () => {
    const workspaceId = await e2e.createWorkspace('Calendar')
    // Late in the evening of the 15th for the user, but already the 16th in UTC.
    await e2e.createEvent({ title: 'Late show', scheduledFor: '2031-10-16T03:30:00Z' }, workspaceId)
    await e2e.createEvent(
      { title: 'Tryouts', eventType: 'tryout', scheduledFor: '2031-10-20T18:00:00Z' },
      workspaceId,
    )
    const { page } = await e2e.openEventsScreen('?view=month&on=2031-10-01', { workspaceId })
    await page.getByRole('heading', { name: 'October 2031' }).waitFor()
    await page.getByRole('button', { name: '23:30 Late show Event, draft' }).waitFor()
    await page.getByRole('button', { name: /15 October 2031, 1 event$/ }).waitFor()
    await page.getByText('Week', { exact: true }).click()
    await pressButton(page, 'Next week')
    await pressButton(page, 'Next week')
    await page.getByRole('heading', { name: /^13\s?–\s?19 Oct 2031$/ }).waitFor()
    const day = page.getByRole('list', { name: /15 October 2031$/ })
    await day.getByRole('button', { name: /Late show/ }).waitFor()
    await page.getByText('Agenda', { exact: true }).click()
    await page.getByText('Tryouts').waitFor()
    await page.getByLabel('Event type').selectOption('tryout')
    await page.getByText('Late show').waitFor({ state: 'detached' })
    await page.reload()
    await page.getByText('Tryouts').waitFor()
    expect(await page.getByText('Late show').count()).toBe(0)
    expect(new URL(page.url()).search).toBe('?view=agenda&on=2031-10-15&type=tryout')
  })

  test('is navigated with the keyboard, and an event is created on a day without a pointer', async () => {
    const workspaceId = await e2e.createWorkspace('Keys')
    const { page } = await e2e.openEventsScreen('?view=month&on=2031-10-15', { workspaceId })
    await page.getByRole('button', { name: /15 October 2031, no events$/ }).focus()
    const expectFocusedDay = (day: string) =>
      waitUntil(page, `document.activeElement.dataset.day === '${day}'`)
    for (const [key, day] of [
      ['ArrowRight', '2031-10-16'],
      ['ArrowDown', '2031-10-23'],
      ['Home', '2031-10-20'],
      ['PageDown', '2031-11-20'],
    ] as const) {
      await page.keyboard.press(key)
      await expectFocusedDay(day)
    }
    await page.keyboard.press('Enter')
    await dialog(page, /20 November 2031$/).waitFor()
    await page.getByRole('button', { name: 'New event on this day' }).press('Enter')
    await expectSettled(() => readField(page, 'Starts'), '2031-11-20T18:00')
    await page.getByLabel('Title', { exact: true }).focus()
    await page.keyboard.type('By hand')
    await page.keyboard.press('Enter')
    await page.getByText('Saved “By hand” as a draft.').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: '18:00 By hand Event, draft' }).waitFor()
  })

  test('is an agenda on a phone, and updates live', async () => {
    const workspaceId = await e2e.createWorkspace('Live')
    const { page } = await e2e.openEventsScreen('', { workspaceId, options: PHONE })
    await page.getByText('No upcoming events').waitFor()
    const scheduledFor = new Date(Date.now() + 3_600_000).toISOString()
    await waitForRefetch(page, '/api/events', () =>
      e2e.createEvent({ title: 'Just now', scheduledFor, published: 'true' }, workspaceId),
    )
    await page.getByText('Just now').waitFor({ timeout: RENDER_MS })
  })
})
