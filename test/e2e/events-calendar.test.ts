import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { useSession } from '../support/e2e-session.ts'
import { dialog, openEventsSession } from '../support/events.ts'
import {
  expectSettled,
  PHONE,
  pressButton,
  readField,
  waitForRefetch,
  waitUntil,
} from '../support/page-actions.ts'

/** The times of the week view that are in view, as positions in the list of a day. */
const isInView = (page: Page, title: string) =>
  page.evaluate<boolean>(`(() => {
    const area = document.querySelector('[aria-label="Week by hour"]').getBoundingClientRect()
    const chip = [...document.querySelectorAll('[aria-label="Week by hour"] button')]
      .find((button) => button.textContent.includes(${JSON.stringify(title)})).getBoundingClientRect()
    return chip.top >= area.top && chip.bottom <= area.bottom
  })()`)

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

  test('opens a week at its first event, and leads to events that are out of view', async () => {
    const workspaceId = await e2e.createWorkspace('Night')
    // 02:00 on Tuesday, 21:00 on Wednesday.
    await e2e.createEvent({ title: 'Night patrol', scheduledFor: '2031-10-14T06:00:00Z' }, workspaceId)
    await e2e.createEvent({ title: 'Late meeting', scheduledFor: '2031-10-16T01:00:00Z' }, workspaceId)
    const { page } = await e2e.openEventsScreen('?view=week&on=2031-10-15', {
      workspaceId,
    })
    await page.getByRole('button', { name: /Night patrol/ }).waitFor()
    await expectSettled(() => isInView(page, 'Night patrol'), true)
    expect(await isInView(page, 'Late meeting')).toBe(false)
    await pressButton(page, '1 event later in the day')
    await expectSettled(() => isInView(page, 'Late meeting'), true)
    await pressButton(page, '1 event earlier in the day')
    await expectSettled(() => isInView(page, 'Night patrol'), true)
    await e2e.createEvent({ title: 'Early patrol', scheduledFor: '2031-10-14T04:30:00Z' }, workspaceId)
    await page.getByRole('button', { name: '1 event earlier in the day' }).waitFor()
    await pressButton(page, 'Next week')
    await page.getByRole('button', { name: 'Night patrol' }).waitFor({ state: 'detached' })
    const readStartHour = () =>
      page.evaluate<number>(
        `(() => { const area = document.querySelector('[aria-label="Week by hour"]'); return (area.scrollTop / area.scrollHeight) * 24 })()`,
      )
    await expectSettled(async () => Math.abs((await readStartHour()) - 7.75) < 0.05, true)
  })

  test.each([
    ['2027-03-15', 'forward'],
    ['2026-11-03', 'back'],
  ])(
    'labels the hours of the week of %s, which begins when clocks go %s, like those of every week',
    async (day) => {
      const { page } = await e2e.openEventsScreen(`?view=week&on=${day}`, { options: { locale: 'en-US' } })
      const labels = page.getByRole('region', { name: 'Week by hour' }).locator('[aria-hidden] > span')
      await labels.first().waitFor()
      const texts = await labels.allTextContents()
      expect(texts.length).toBe(23)
      for (const [hour, text] of [
        [1, /^1.AM$/],
        [3, /^3.AM$/],
        [12, /^12.PM$/],
        [23, /^11.PM$/],
      ] as const)
        expect(texts[hour - 1]).toMatch(text)
    },
  )

  test('shows an event of several days on each of them, with its end', async () => {
    const workspaceId = await e2e.createWorkspace('Marathon')
    // From 22:00 on Saturday 18 October to 02:00 on Monday 20 October, which is in the next week.
    await e2e.createEvent(
      {
        title: 'Marathon',
        eventType: 'training',
        scheduledFor: '2031-10-19T02:00:00Z',
        trainingEnd: '2031-10-20T06:00:00Z',
        published: 'true',
      },
      workspaceId,
    )
    const { page } = await e2e.openEventsScreen('?view=month&on=2031-10-01', {
      workspaceId,
    })
    const first = /^22:00 Marathon Training, until Mon,? 20 Oct,? 0?2:00$/
    const middle = /^All day Marathon Training, since Sat,? 18 Oct,? 22:00, until Mon,? 20 Oct,? 0?2:00$/
    const last = /^until 0?2:00 Marathon Training, since Sat,? 18 Oct,? 22:00$/
    for (const name of [first, middle, last]) await page.getByRole('button', { name }).waitFor()
    for (const date of [18, 19, 20])
      await page.getByRole('button', { name: RegExp(`${date} October 2031, 1 event$`) }).waitFor()
    await page.getByRole('button', { name: /21 October 2031, no events$/ }).waitFor()

    await page.goto(page.url().replace('view=month&on=2031-10-01', 'view=week&on=2031-10-22'))
    const monday = page.getByRole('list', { name: /20 October 2031$/ })
    await monday.getByRole('button', { name: last }).waitFor()

    await page.goto(page.url().replace('view=week&on=2031-10-22', 'view=agenda&on=2031-10-19'))
    const readDay = (date: number) =>
      page
        .getByRole('region', { name: RegExp(`${date} October 2031$`) })
        .getByRole('button')
        .textContent()
    await page.getByRole('region', { name: /20 October 2031$/ }).waitFor()
    expect(await readDay(19)).toMatch(/All day, until Mon,? 20 Oct,? 0?2:00/)
    expect(await readDay(20)).toMatch(/Until 0?2:00, since Sat,? 18 Oct,? 22:00/)
    await page.goto(page.url().replace('on=2031-10-19', 'on=2031-10-18'))
    await page.getByRole('region', { name: /18 October 2031$/ }).waitFor()
    expect(await readDay(18)).toMatch(/22:00 – Mon,? 20 Oct,? 0?2:00/)
    await page
      .getByRole('region', { name: /20 October 2031$/ })
      .getByRole('button')
      .click()
    await dialog(page, 'Marathon').waitFor()
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
    await page.getByRole('button', { name: /21 November 2031, no events$/ }).click()
    await dialog(page, /21 November 2031$/).waitFor()
    await page.keyboard.press('Escape')
    await dialog(page, /21 November 2031$/).waitFor({ state: 'detached' })
    await expectFocusedDay('2031-11-21')
    await page.keyboard.press('ArrowLeft')
    await expectFocusedDay('2031-11-20')
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
    // Twice if it continues after midnight.
    await page.getByText('Just now').first().waitFor()
  })

  test('shows the first and the last month that an event can be in, and goes no further', async () => {
    const workspaceId = await e2e.createWorkspace('Edges')
    for (const [title, scheduledFor] of [
      ['Dawn', '1970-01-15T12:00:00Z'],
      ['Dusk', '9999-12-30T12:00:00Z'],
    ])
      await e2e.createEvent({ title, scheduledFor }, workspaceId)
    const { page } = await e2e.openEventsScreen('?view=month&on=9999-11-30', { workspaceId })
    await pressButton(page, 'Next month')
    await page.getByRole('heading', { name: 'December 9999' }).waitFor()
    await page.getByRole('button', { name: /Dusk/ }).waitFor()
    await expectSettled(() => page.getByRole('button', { name: 'Next month' }).isDisabled(), true)
    await page.getByRole('button', { name: /30 December 9999, 1 event$/ }).focus()
    for (const key of ['PageDown', 'ArrowDown', 'ArrowLeft', 'ArrowUp']) await page.keyboard.press(key)
    await waitUntil(page, `document.activeElement.dataset.day === '9999-12-23'`)
    await page.getByText('Week', { exact: true }).click()
    await pressButton(page, 'Next week')
    await page.getByRole('button', { name: /Dusk/ }).waitFor()
    await expectSettled(() => page.getByRole('button', { name: 'Next week' }).isDisabled(), true)
    await page.goto(page.url().replace(/view=week&on=.*/, 'view=month&on=1970-02-01'))
    await pressButton(page, 'Previous month')
    await page.getByRole('button', { name: /Dawn/ }).waitFor()
    await expectSettled(() => page.getByRole('button', { name: 'Previous month' }).isDisabled(), true)
  })

  test('shows a very long event on the days of its first three months, and responds, also with one at the end of the year 9999', async () => {
    const workspaceId = await e2e.createWorkspace('Endless')
    const scheduledFor = new Date(Date.now() - 3_600_000).toISOString()
    const end = '9999-12-31T23:59:00Z'
    await e2e.createEvent(
      { title: 'Endless', scheduledFor, trainingEnd: end, published: 'true' },
      workspaceId,
    )
    await e2e.createEvent(
      { title: 'Last days', scheduledFor: '9999-12-30T12:00:00Z', trainingEnd: end, published: 'true' },
      workspaceId,
    )
    const { page } = await e2e.openEventsScreen('', { workspaceId, options: PHONE })
    const days = page.getByRole('region', { name: /\d{4}$/ })
    await days.last().waitFor()
    // At most 93 days of the one that started today or yesterday, and two of the other one.
    expect(await days.count()).toBeWithin(94, 96)
    expect(await days.last().textContent()).toMatch(/31 December 9999.*Last days/)
    await days
      .first()
      .getByRole('button', { name: /Endless/ })
      .click()
    await dialog(page, 'Endless').waitFor()
  })
})
