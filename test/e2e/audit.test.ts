import { beforeAll, describe, expect, test } from 'bun:test'
import { DAY_MS } from '@reeve/core'
import type { Page } from 'playwright-core'
import { openE2eSession, useSession } from '../support/e2e-session.ts'
import { expectSettled, pressButton, XSS_PAYLOAD } from '../support/page-actions.ts'
import { expectNoPageErrors } from '../support/page-errors.ts'

const e2e = useSession(openE2eSession)
let recordId: string
let eventId: string
beforeAll(async () => {
  const ban = { action: 'ban', userId: '261', userUsername: 'Builderman', reason: 'Exploiting' }
  recordId = (await e2e.requestAsOwner('POST', '/api/moderation', ban)).record.id
  const edit = { action: 'edit', id: recordId, reason: 'Two accounts' }
  await e2e.requestAsOwner('POST', '/api/moderation', edit)
  const event = { title: 'Cadet training', scheduledFor: '2027-03-01T18:00:00Z' }
  eventId = (await e2e.requestAsOwner('POST', '/api/events', event)).event.id
  await e2e.server.createMember(e2e.owner, 'clerk', ['departments.view', 'departments.manage'])
  const session = await e2e.server.session('clerk')
  const body = { workspaceId: e2e.owner.workspaceId, name: 'Builders' }
  await e2e.server.requestOk('POST', '/api/departments', { session, body })
}, 60_000)

/** What the clerk has done, newest first: they joined by an invitation. */
const CLERK_CHANGES = ['departments.create', 'invitations.accept', 'members.join'] as const

const openAuditLog = (query = '', session = e2e.owner.session, options = {}) =>
  e2e.openScreen(`/w/${e2e.owner.workspaceId}/audit${query}`, {
    session,
    heading: 'Audit log',
    browser: options,
  })
const rows = (page: Page) => page.getByRole('list', { name: 'Changes' }).getByRole('article')
const row = (page: Page, name: string) => page.getByRole('article', { name, exact: true })
const expandChanges = (page: Page, name: string) =>
  row(page, name)
    .getByRole('button', { name: `Changes: ${name}` })
    .click()

describe('a change', () => {
  test('is described by actor, action and target, and links to the record', async () => {
    const tab = await openAuditLog()
    const { page } = tab
    await row(page, 'robin banned Builderman').getByText('(ID 261, case 1)').waitFor()
    await row(page, 'clerk created the department Builders').waitFor()
    const rowTexts = await rows(page).allTextContents()
    expect(rowTexts.length).toBeGreaterThan(5)
    // No raw action ids such as `departments.create`.
    expect(rowTexts.filter((text) => /\b[a-z_]+\.[a-z_]+\b/.test(text))).toEqual([])
    await row(page, 'robin banned Builderman').getByRole('link').click()
    await page.waitForURL(`**/moderation/cases/${recordId}`)
    await page.goBack()
    await row(page, 'robin created the event Cadet training').getByRole('link').click()
    await page.waitForURL(`**/events?*event=${eventId}*`)
    await expectNoPageErrors(tab)
  })

  test('is written as its screen writes it: severities, durations, times, types, modes and permissions', async () => {
    const { requestAsOwner, openScreen } = await e2e.createWorkspaceFixture()
    const ban = { action: 'ban', userId: '9', reason: 'Spam', severity: 'high', durationSeconds: '86400' }
    const { record } = await requestAsOwner('POST', '/api/moderation', ban)
    await requestAsOwner('POST', '/api/moderation', { action: 'edit', id: record.id, severity: 'critical' })
    await requestAsOwner('POST', '/api/moderation', { action: 'ban', userId: '10', reason: 'Again' })
    await requestAsOwner('POST', '/api/events', {
      title: 'Opening',
      scheduledFor: '2027-03-01T18:00:00Z',
      published: 'true',
    })
    await requestAsOwner('POST', '/portal/api/endpoint-controls', { endpoint: 'events', mode: 'read_only' })
    const expiresAt = new Date(Date.now() + DAY_MS).toISOString()
    const keyFields = { name: 'Bot', permissions: 'moderation.ban', expiresAt }
    await requestAsOwner('POST', '/portal/api/api-keys', keyFields)
    const { page } = await openScreen('/audit', { heading: 'Audit log' })
    const readFields = async (name: string): Promise<Record<string, string[]>> => {
      await expandChanges(page, name)
      await row(page, name).locator('dl').first().waitFor()
      await row(page, name).locator('dl').first().locator('dd bdi').first().waitFor()
      const fields = await row(page, name)
        .locator('dl')
        .first()
        .locator('div:has(> dt)')
        .evaluateAll((all) =>
          all.map((field) => [
            field.querySelector('dt')?.textContent,
            [...field.querySelectorAll('dd bdi')].map((value) => value.textContent),
          ]),
        )
      return Object.fromEntries(fields)
    }
    expect(await readFields('robin banned 9')).toMatchObject({
      Action: ['Ban'],
      Severity: ['High'],
      Status: ['Active'],
      Duration: ['1 day'],
    })
    expect(await readFields('robin edited the case of 9')).toEqual({ Severity: ['High', 'Critical'] })
    expect(await readFields('robin banned 10')).toMatchObject({ Duration: ['Permanent'], Expires: ['Never'] })
    expect(await readFields('robin created the event Opening')).toMatchObject({
      Type: ['Event'],
      Visibility: ['Published'],
    })
    await row(page, 'robin changed the mode of the endpoint Events').getByText('(Read-only)').waitFor()
    expect(await readFields('robin changed the mode of the endpoint Events')).toMatchObject({
      Mode: ['On', 'Read-only'],
    })
    const key = await readFields('robin created the API key Bot')
    expect(key).toMatchObject({
      Permissions: ['Ban players and extend bans'],
      Expires: [expect.stringMatching(/\d:\d\d/)],
    })
    expect(JSON.stringify(key)).not.toContain('live')
  })

  test('shows changed fields before and after, and the others on request', async () => {
    const { page } = await openAuditLog()
    await expandChanges(page, 'robin edited the case of Builderman')
    const changed = row(page, 'robin edited the case of Builderman')
    const reason = changed.locator('dl > div').filter({ has: page.getByText('Reason', { exact: true }) })
    await expectSettled(
      () => reason.locator('dd').allTextContents(),
      ['Before: Exploiting', 'After: Two accounts'],
    )
    expect(await changed.getByText('Player ID').count()).toBe(0)
    await changed.getByRole('button', { name: /^Show \d+ unchanged fields$/ }).click()
    await changed.getByText('Player ID').waitFor()
    await changed.getByText('127.0.0.1').waitFor()
  })

  test('of a list shows the new items, and how many others there are', async () => {
    const { requestAsOwner, openScreen } = await e2e.createWorkspaceFixture()
    const warning = { action: 'warn', userId: '9', reason: 'Spamming' }
    const { record } = await requestAsOwner('POST', '/api/moderation', warning)
    for (const value of ['First', 'Second', 'Third']) {
      await requestAsOwner('POST', '/api/moderation', { action: 'comment', id: record.id, value })
    }
    const { page } = await openScreen('/audit', { heading: 'Audit log' })
    const newest = page.getByRole('article', { name: 'robin commented on the case of 9' }).first()
    await newest.getByRole('button', { name: /^Changes/ }).click()
    const comments = newest.locator('dl > div').filter({ has: page.getByText('Comments', { exact: true }) })
    await expectSettled(
      () => comments.locator('dd').allTextContents(),
      ['Before: 2 items', 'After: Thirdand 2 unchanged'],
    )
  })

  test('that created a record shows its initial values', async () => {
    const { page } = await openAuditLog()
    await expandChanges(page, 'robin created the event Cadet training')
    const createdRow = row(page, 'robin created the event Cadet training')
    await createdRow.getByText('Scheduled for').waitFor()
    expect(await createdRow.getByText('Before').count()).toBe(0)
  })

  test('made elsewhere appears live', async () => {
    const { page } = await openAuditLog()
    await row(page, 'robin banned Builderman').waitFor()
    await e2e.requestAsOwner('POST', '/api/moderation', { action: 'note', userId: '7', reason: 'Hello' })
    await row(page, 'robin added a note on 7').waitFor()
  })
})

describe('the log', () => {
  test('is filtered by actor, action and record; the URL and the CSV keep the filters', async () => {
    const { page } = await openAuditLog()
    await page.getByRole('combobox', { name: 'Actor' }).fill('cler')
    await page.getByRole('option', { name: 'clerk' }).click()
    await row(page, 'robin banned Builderman').waitFor({ state: 'detached' })
    await expectSettled(() => rows(page).count(), CLERK_CHANGES.length)
    await page.reload()
    await row(page, 'clerk created the department Builders').waitFor()
    await expectSettled(() => page.getByRole('combobox', { name: 'Actor' }).inputValue(), 'clerk')
    const downloadEvent = page.waitForEvent('download')
    await page.getByRole('link', { name: 'CSV' }).click()
    const csv = await Bun.file(await (await downloadEvent).path()).text()
    expect(
      csv
        .trim()
        .split('\r\n')
        .slice(1)
        .map((line) => CLERK_CHANGES.find((action) => line.includes(action))),
    ).toEqual([...CLERK_CHANGES])
    await pressButton(page, 'Clear filters')
    await row(page, 'robin banned Builderman').waitFor()
    await page.getByRole('combobox', { name: 'Action' }).click()
    await page.getByRole('option', { name: 'Edit a case' }).click()
    await row(page, 'robin banned Builderman').waitFor({ state: 'detached' })
    expect(new URL(page.url()).searchParams.get('what')).toBe('moderation.edit')
    await pressButton(page, 'Clear filters')
    await page.getByLabel('Record', { exact: true }).fill(eventId)
    await page.keyboard.press('Enter')
    await row(page, 'robin banned Builderman').waitFor({ state: 'detached' })
    await row(page, 'robin created the event Cadet training').waitFor()
    await expectSettled(() => rows(page).count(), 1)
  })

  test('leads from one change to all changes of its record, and of its actor', async () => {
    const { page } = await openAuditLog()
    await expandChanges(page, 'robin banned Builderman')
    await pressButton(page, 'Only changes to Builderman')
    await row(page, 'clerk created the department Builders').waitFor({ state: 'detached' })
    await row(page, 'robin edited the case of Builderman').waitFor()
    await expectSettled(() => rows(page).count(), 2)
    expect(new URL(page.url()).searchParams.get('record')).toBe(recordId)
    await pressButton(page, 'Clear filters')
    await expandChanges(page, 'clerk created the department Builders')
    await pressButton(page, 'Only changes by clerk')
    await row(page, 'robin banned Builderman').waitFor({ state: 'detached' })
    await row(page, 'clerk created the department Builders').waitFor()
    await expectSettled(() => rows(page).count(), CLERK_CHANGES.length)
  })

  test('is filtered by case number, player and person, and shows how it has understood the text', async () => {
    const { page } = await openAuditLog()
    const field = page.getByRole('textbox', { name: 'Record' })
    const enter = async (text: string) => {
      await field.fill(text)
      await field.press('Enter')
    }
    await enter('#1')
    await page.getByRole('button', { name: 'Remove Case #1' }).waitFor()
    await row(page, 'clerk created the department Builders').waitFor({ state: 'detached' })
    await expectSettled(() => rows(page).count(), 2)
    await pressButton(page, 'Remove Case #1')
    await enter('1')
    // Case 1, and the id of a player without cases.
    const meanings = page.getByRole('list', { name: /^Meanings of/ })
    await expectSettled(async () => (await meanings.getByRole('button').allTextContents()).length, 2)
    await pressButton(page, 'Show Case #1')
    await expectSettled(() => rows(page).count(), 2)
    await pressButton(page, 'Clear filters')
    await enter('builder, clerk')
    await page.getByRole('button', { name: /^Remove Player .Builderman. \(261\)$/ }).waitFor()
    await pressButton(page, 'Remove Person clerk')
    await expectSettled(() => rows(page).count(), 2)
    const { searchParams } = new URL(page.url())
    expect(Object.fromEntries(searchParams)).toEqual({ userId: '261' })
    const file = await page.getByRole('link', { name: 'CSV' }).getAttribute('href')
    const csv = await page.context().request.get(`${e2e.server.origin}${file}`)
    expect((await csv.text()).trim().split('\r\n')).toHaveLength(3)
    await pressButton(page, 'Clear filters')
    await enter('zzz')
    await page.getByText(/^No case, player or person matches “.zzz.”$/).waitFor()
  })

  test('is filtered by days in the user’s time zone', async () => {
    const { page } = await openAuditLog('', e2e.owner.session, { timezoneId: 'Pacific/Kiritimati' })
    await row(page, 'robin banned Builderman').waitFor()
    const day = (offsetHours: number) =>
      page.evaluate<string>(
        `new Intl.DateTimeFormat('en-CA').format(new Date(Date.now() + ${offsetHours * 86_400_000}))`,
      )
    await page.getByLabel('From', { exact: true }).fill(await day(1))
    await page.getByText('No matching changes').waitFor()
    await page.getByLabel('From', { exact: true }).fill(await day(0))
    await page.getByLabel('To', { exact: true }).fill(await day(0))
    await row(page, 'robin banned Builderman').waitFor()
    await page.getByLabel('To', { exact: true }).fill(await day(-1))
    await page.getByText('No matching changes').waitFor()
  })

  test('needs permission', async () => {
    const { page } = await openAuditLog('', await e2e.server.session('clerk'))
    await page.getByText('You don’t have access').waitFor()
    expect(await page.getByRole('link', { name: 'Audit log' }).count()).toBe(0)
  })

  test('links only to pages that the user may see', async () => {
    const session = await e2e.server.createMember(e2e.owner, 'auditor', ['audit.view', 'events.view'])
    const { page } = await openAuditLog('', session)
    await row(page, 'robin created the event Cadet training').getByRole('link').waitFor()
    expect(await row(page, 'robin banned Builderman').getByRole('link').count()).toBe(0)
    await expectSettled(() => page.getByRole('combobox', { name: 'Actor' }).count(), 1)
  })

  test('shows a server error, and continues on retry', async () => {
    const { page } = await e2e.openScreen('/account', { heading: 'Your account' })
    await page.route('**/portal/api/audit?*', (route) => route.fulfill({ status: 502, body: 'Bad gateway' }))
    await page.goto(`${e2e.server.origin}/w/${e2e.owner.workspaceId}/audit`)
    await page.getByText('Unexpected response from the server (502).').waitFor()
    await page.unroute('**/portal/api/audit?*')
    await pressButton(page, 'Try again')
    await row(page, 'robin banned Builderman').waitFor()
  })

  test('shows user input as plain text', async () => {
    const userUsername = XSS_PAYLOAD.slice(0, 50)
    const warning = { action: 'warn', userId: '9', userUsername, reason: XSS_PAYLOAD }
    await e2e.requestAsOwner('POST', '/api/moderation', warning)
    await e2e.requestAsOwner('POST', '/api/departments', { name: XSS_PAYLOAD, description: XSS_PAYLOAD })
    const tab = await openAuditLog('?what=moderation.warn')
    await tab.page.getByRole('button', { name: /^Changes/ }).click()
    await tab.page.getByText(XSS_PAYLOAD, { exact: true }).first().waitFor()
    expect(await tab.page.evaluate('"planted" in globalThis')).toBe(false)
    await expectNoPageErrors(tab)
    expect(tab.pageErrors).toEqual([])
  })
})
