import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { expectSoon, press } from '../support/portal.ts'
import { openStay, PLANTED, type Stay } from '../support/stay.ts'
import { expectCalm } from '../support/visit.ts'

let stay: Stay
let recordId: string
let eventId: string
beforeAll(async () => {
  stay = await openStay()
  const ban = { action: 'ban', userId: '261', userUsername: 'Builderman', reason: 'Exploiting' }
  recordId = (await stay.asOwner('POST', '/api/moderation', ban)).record.id
  await stay.asOwner('POST', '/api/moderation', { action: 'edit', id: recordId, reason: 'Two accounts' })
  const event = { title: 'Cadet training', scheduledFor: '2027-03-01T18:00:00Z' }
  eventId = (await stay.asOwner('POST', '/api/events', event)).event.id
  await stay.place.member(stay.owner, 'clerk', ['departments.view', 'departments.manage'])
  const session = await stay.place.session('clerk')
  const body = { workspaceId: stay.owner.workspaceId, name: 'Builders' }
  await stay.place.must('POST', '/api/departments', { session, body })
}, 60_000)
afterEach(() => stay.leave())
afterAll(() => stay?.close())

const log = (query = '', session = stay.owner.session, options = {}) =>
  stay.visit(session, `/w/${stay.owner.workspaceId}/audit${query}`, 'Audit log', options)
const rows = (page: Page) => page.getByRole('list', { name: 'Changes' }).getByRole('article')
const row = (page: Page, name: string) => page.getByRole('article', { name, exact: true })
const open = (page: Page, name: string) =>
  row(page, name)
    .getByRole('button', { name: `Changes: ${name}` })
    .click()

describe('a change', () => {
  test('tells in words who did what to whom, and leads to the record', async () => {
    const opened = await log()
    const { page } = opened
    await row(page, 'robin banned Builderman').getByText('(id 261, case 1)').waitFor()
    await row(page, 'clerk made the department Builders').waitFor()
    const said = await rows(page).allTextContents()
    expect(said.length).toBeGreaterThan(5)
    // In words, and not as the log calls it: `departments.create`.
    expect(said.filter((text) => /\b[a-z_]+\.[a-z_]+\b/.test(text))).toEqual([])
    await row(page, 'robin banned Builderman').getByRole('link').click()
    await page.waitForURL(`**/moderation/cases/${recordId}`)
    await page.goBack()
    await row(page, 'robin planned Cadet training').getByRole('link').click()
    await page.waitForURL(`**/events?*event=${eventId}*`)
    await expectCalm(opened)
  })

  test('shows what changed before and after, and the rest only when it is asked for', async () => {
    const { page } = await log()
    await open(page, 'robin edited the record of Builderman')
    const changed = row(page, 'robin edited the record of Builderman')
    const reason = changed.locator('dl > div').filter({ has: page.getByText('Reason', { exact: true }) })
    await expectSoon(
      () => reason.locator('dd').allTextContents(),
      ['Before: Exploiting', 'After: Two accounts'],
    )
    expect(await changed.getByText('Severity').count()).toBe(0)
    await changed.getByRole('button', { name: /^All \d+ fields$/ }).click()
    await changed.getByText('Severity').waitFor()
    await changed.getByText('127.0.0.1').waitFor()
  })

  test('made anew shows what there was from then on', async () => {
    const { page } = await log()
    await open(page, 'robin planned Cadet training')
    const made = row(page, 'robin planned Cadet training')
    await made.getByText('Scheduled for').waitFor()
    expect(await made.getByText('Before').count()).toBe(0)
  })

  test('made elsewhere shows by itself', async () => {
    const { page } = await log()
    await row(page, 'robin banned Builderman').waitFor()
    await stay.asOwner('POST', '/api/moderation', { action: 'note', userId: '7', reason: 'Hello' })
    await row(page, 'robin wrote a note on 7').waitFor()
  })
})

describe('the log', () => {
  test('is narrowed down by who, what and record, and the address and the file keep that', async () => {
    const { page } = await log()
    await page.getByRole('combobox', { name: 'Who did it' }).fill('cler')
    await page.getByRole('option', { name: 'clerk' }).click()
    await row(page, 'robin banned Builderman').waitFor({ state: 'detached' })
    await expectSoon(() => rows(page).count(), 1)
    await page.reload()
    await row(page, 'clerk made the department Builders').waitFor()
    await expectSoon(() => page.getByRole('combobox', { name: 'Who did it' }).inputValue(), 'clerk')
    const arrives = page.waitForEvent('download')
    await page.getByRole('link', { name: 'CSV' }).click()
    const csv = await Bun.file(await (await arrives).path()).text()
    expect(
      csv
        .trim()
        .split('\r\n')
        .slice(1)
        .map((line) => line.includes('departments.create')),
    ).toEqual([true])
    await press(page, 'Clear the filters')
    await row(page, 'robin banned Builderman').waitFor()
    await page.getByRole('combobox', { name: 'What was done' }).click()
    await page.getByRole('option', { name: 'Edit a record' }).click()
    await row(page, 'robin banned Builderman').waitFor({ state: 'detached' })
    expect(new URL(page.url()).searchParams.get('what')).toBe('moderation.edit')
    await press(page, 'Clear the filters')
    await page.getByLabel('Which record').fill(eventId)
    await page.keyboard.press('Enter')
    await row(page, 'robin banned Builderman').waitFor({ state: 'detached' })
    await row(page, 'robin planned Cadet training').waitFor()
    await expectSoon(() => rows(page).count(), 1)
  })

  test('goes from one change to all on its record, and to all by the same person', async () => {
    const { page } = await log()
    await open(page, 'robin banned Builderman')
    await press(page, 'Only about Builderman')
    await row(page, 'clerk made the department Builders').waitFor({ state: 'detached' })
    await row(page, 'robin edited the record of Builderman').waitFor()
    await expectSoon(() => rows(page).count(), 2)
    expect(new URL(page.url()).searchParams.get('record')).toBe(recordId)
    await press(page, 'Clear the filters')
    await open(page, 'clerk made the department Builders')
    await press(page, 'Only by clerk')
    await row(page, 'robin banned Builderman').waitFor({ state: 'detached' })
    await row(page, 'clerk made the department Builders').waitFor()
    await expectSoon(() => rows(page).count(), 1)
  })

  test('is narrowed down by days of the reader’s own zone', async () => {
    const { page } = await log('', stay.owner.session, { timezoneId: 'Pacific/Kiritimati' })
    await row(page, 'robin banned Builderman').waitFor()
    const day = (late: number) =>
      page.evaluate<string>(
        `new Intl.DateTimeFormat('en-CA').format(new Date(Date.now() + ${late * 86_400_000}))`,
      )
    await page.getByLabel('From', { exact: true }).fill(await day(1))
    await page.getByText('Nothing like that was done').waitFor()
    await page.getByLabel('From', { exact: true }).fill(await day(0))
    await page.getByLabel('To', { exact: true }).fill(await day(0))
    await row(page, 'robin banned Builderman').waitFor()
    await page.getByLabel('To', { exact: true }).fill(await day(-1))
    await page.getByText('Nothing like that was done').waitFor()
  })

  test('is for those who may read it', async () => {
    const { page } = await log('', await stay.place.session('clerk'))
    await page.getByText('This is not for you to see').waitFor()
    expect(await page.getByRole('link', { name: 'Audit log' }).count()).toBe(0)
  })

  test('links only to what the reader may see', async () => {
    const session = await stay.place.member(stay.owner, 'auditor', ['audit.view', 'events.view'])
    const { page } = await log('', session)
    await row(page, 'robin planned Cadet training').getByRole('link').waitFor()
    expect(await row(page, 'robin banned Builderman').getByRole('link').count()).toBe(0)
    await expectSoon(() => page.getByRole('combobox', { name: 'Who did it' }).count(), 1)
  })

  test('where the server fails it says so, and goes on once it answers', async () => {
    const { page } = await stay.visit(stay.owner.session, '/account', 'Your account')
    await page.route('**/portal/api/audit?*', (route) => route.fulfill({ status: 502, body: 'Bad gateway' }))
    await page.goto(`${stay.place.origin}/w/${stay.owner.workspaceId}/audit`)
    await page.getByText('Reeve did not answer properly (502).').waitFor()
    await page.unroute('**/portal/api/audit?*')
    await press(page, 'Try again')
    await row(page, 'robin banned Builderman').waitFor()
  })

  test('what people wrote is shown as it is, and runs nothing', async () => {
    const written = { action: 'warn', userId: '9', userUsername: PLANTED.slice(0, 50), reason: PLANTED }
    await stay.asOwner('POST', '/api/moderation', written)
    await stay.asOwner('POST', '/api/departments', { name: PLANTED, description: PLANTED })
    const opened = await log('?what=moderation.warn')
    await opened.page.getByRole('button', { name: /^Changes/ }).click()
    await opened.page.getByText(PLANTED, { exact: true }).first().waitFor()
    expect(await opened.page.evaluate('"planted" in globalThis')).toBe(false)
    await expectCalm(opened)
    expect(opened.complaints).toEqual([])
  })
})
