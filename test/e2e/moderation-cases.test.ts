import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { choose, DAY, dialogOf, openDesks, STORM } from '../support/moderation.ts'
import { expectSoon, fillIn, press, typedIn } from '../support/portal.ts'
import { expectCalm } from '../support/visit.ts'

let desks: Awaited<ReturnType<typeof openDesks>>
beforeAll(async () => {
  desks = await openDesks()
})
afterEach(() => desks.leave())
afterAll(() => desks?.close())

/** Somebody looks at the case of a ban of two days. */
async function openBan(more: Readonly<Record<string, string>> = {}) {
  const desk = await desks.desk()
  const ban = await desk.moderate({
    action: 'ban',
    ...STORM,
    reason: 'Exploiting',
    durationSeconds: String(2 * DAY),
    ...more,
  })
  const opened = await desks.visit(desk.session, desk.at(`/cases/${ban.id}`), 'Case 1: ban')
  const now = async () => (await desk.recordsOf('261'))[0]
  return { ...desk, ban, opened, page: opened.page, now }
}

const list = (page: Page, name: string) => page.getByRole('list', { name })
/** The rows of what differs, each as its name, what was, and what is. */
const differences = async (page: Page): Promise<string[][]> => {
  const rows = await page.locator('tbody tr').all()
  return Promise.all(rows.map((row) => row.locator('th, td').allTextContents()))
}

describe('a case', () => {
  test('is corrected, and shows its versions side by side', async () => {
    const { opened, page, now } = await openBan({ evidence: 'https://example.com/a' })
    await page.getByText('This case was never changed.').waitFor()
    await press(page, 'Edit')
    await dialogOf(page)
      .getByText(/^Edit case 1, about 261 \(.StormRider.\)$/)
      .waitFor()
    await fillIn(page, { Reason: 'Exploiting in the vault' })
    await choose(page, 'Critical')
    await press(page, 'Save')
    await page.getByText('Case 1 is corrected.').waitFor()
    await dialogOf(page).waitFor({ state: 'detached' })
    await expectSoon(
      () => differences(page),
      [
        ['Reason', 'Exploiting', 'Exploiting in the vault'],
        ['Severity', 'High', 'Critical'],
      ],
    )
    await press(page, 'Edit')
    await fillIn(page, { Name: 'Storm' })
    await press(page, 'Save')
    await page.locator('tbody').getByText('Name of the player').waitFor()
    await page.getByLabel('Before').selectOption({ index: 2 })
    await page.locator('tbody').getByText('Severity').waitFor()
    expect((await differences(page)).map(([name]) => name)).toEqual([
      'Reason',
      'Severity',
      'Name of the player',
    ])
    expect(await now()).toMatchObject({
      reason: 'Exploiting in the vault',
      severity: 'critical',
      userUsername: 'Storm',
      evidence: ['https://example.com/a'],
    })
    await expectCalm(opened)
  })

  test('that somebody else changed meanwhile is not gone over: what was typed stays, theirs is told', async () => {
    const { ban, page, moderate, now } = await openBan()
    await press(page, 'Edit')
    await fillIn(page, { Reason: 'My words' })
    await moderate({ action: 'edit', id: ban.id, reason: 'Their words', severity: 'low' })
    await press(page, 'Save')
    await dialogOf(page)
      .getByText(/^Reason was meanwhile changed to “.Their words.”\.$/)
      .waitFor()
    await expectSoon(() => typedIn(page, 'Reason'), 'My words')
    await expectSoon(() => dialogOf(page).getByRole('radio', { name: 'Low' }).isChecked(), true)
    expect(await now()).toMatchObject({ reason: 'Their words' })
    await press(page, 'Save')
    await dialogOf(page).waitFor({ state: 'detached' })
    expect(await now()).toMatchObject({ reason: 'My words', severity: 'low' })
  })

  test('takes comments and evidence, whose links are texts to follow and nothing is loaded from', async () => {
    const { opened, page, now } = await openBan()
    await fillIn(page, { 'Add evidence': 'https://example.com/clip.png\nSeen by two' })
    await press(page, 'Add the evidence')
    const evidence = list(page, 'Evidence')
    await evidence.getByText('Seen by two').waitFor()
    const link = evidence.getByRole('link')
    expect([await link.textContent(), await link.getAttribute('rel')]).toEqual([
      'https://example.com/clip.png',
      'noopener noreferrer nofollow',
    ])
    await fillIn(page, { 'Add a comment': 'Same wall as last month' })
    await press(page, 'Comment')
    await list(page, 'Comments').getByText('Same wall as last month').waitFor()
    await page.getByRole('button', { name: 'Comment', disabled: true }).waitFor()
    expect([await typedIn(page, 'Add evidence'), await typedIn(page, 'Add a comment')]).toEqual(['', ''])
    expect(await now()).toMatchObject({
      evidence: ['https://example.com/clip.png', 'Seen by two'],
      comments: [{ text: 'Same wall as last month', authorUsername: 'robin' }],
    })
    await fillIn(page, { 'Add evidence': Array.from({ length: 9 }, (_, at) => `More ${at}`).join('\n') })
    await press(page, 'Add the evidence')
    await page.getByText(/^A record holds at most 10 pieces of evidence/).waitFor()
    expect(await typedIn(page, 'Add evidence')).toContain('More 8')
    await expectCalm(opened)
  })

  test('whose end is moved says from when to when, later, sooner, and away', async () => {
    const { ban, page, now } = await openBan()
    const end = Date.parse(ban.expiresAt)
    const move = async (how: string) => {
      await press(page, 'Change the end')
      await choose(page, how)
      await dialogOf(page)
        .getByText(/ instead of until /)
        .waitFor()
      await dialogOf(page).getByRole('button', { name: 'Change the end' }).click()
      await dialogOf(page).waitFor({ state: 'detached' })
      return (await now()).expiresAt
    }
    expect(Date.parse(await move('7 days longer'))).toBe(end + 7 * DAY * 1000)
    expect(await move('Without end')).toBe(null)
    await page.getByText('Banned without end').first().waitFor()
    await press(page, 'Change the end')
    await choose(page, 'Until…')
    await fillIn(page, { Until: '2031-05-01T18:30' })
    await dialogOf(page)
      .getByText(/ instead of without end\.$/)
      .waitFor()
    await dialogOf(page).getByRole('button', { name: 'Change the end' }).click()
    await dialogOf(page).waitFor({ state: 'detached' })
    expect(Date.parse((await now()).expiresAt) - new Date('2031-05-01T18:30').getTime()).toBeLessThan(1000)
  })

  test('is marked as seen, and taken back with why', async () => {
    const { page, now } = await openBan()
    await press(page, 'Seen by the player')
    await press(page, 'Mark as seen')
    await page.getByText('Case 1 is marked as seen by the player.').waitFor()
    expect((await now()).acknowledgedAt).not.toBe(null)
    await press(page, 'Take back')
    await dialogOf(page)
      .getByText(/The ban ends with it, at once\.$/)
      .waitFor()
    await press(page, 'Take it back')
    await dialogOf(page).getByText('Reason is required.').waitFor()
    await fillIn(page, { Reason: 'The wrong player' })
    await press(page, 'Take it back')
    await page.getByText(/^Lifted by robin/).waitFor()
    expect(await now()).toMatchObject({ status: 'revoked', revokeReason: 'The wrong player' })
    expect(await page.getByRole('button', { name: 'Take back' }).count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Change the end' }).count()).toBe(0)
  })

  test('is redacted only by who types its number, after it was told what goes', async () => {
    const { page, now } = await openBan({ evidence: 'https://example.com/private' })
    await press(page, 'Redact')
    await dialogOf(page).getByText('Nobody can bring the texts back.').waitFor()
    await fillIn(page, { Reason: 'Asked for' })
    await expectSoon(() => page.getByRole('button', { name: 'Redact for good' }).isDisabled(), true)
    await fillIn(page, { 'Type 1 to go on': '1' })
    await press(page, 'Redact for good')
    await page.getByText('They are gone for good.').waitFor()
    expect(await now()).toMatchObject({ reason: null, evidence: [], status: 'active' })
    expect(await page.getByText('example.com/private').count()).toBe(0)
    expect(await page.getByLabel('Add a comment').count()).toBe(0)
    await dialogOf(page).waitFor({ state: 'detached' })
    expect(await page.getByRole('button', { name: 'Redact', exact: true }).count()).toBe(0)
  })

  test('that somebody else changed while a dialog asks is told, and can be done then', async () => {
    const { ban, page, moderate, now } = await openBan()
    await press(page, 'Take back')
    await fillIn(page, { Reason: 'The wrong player' })
    await moderate({ action: 'comment', id: ban.id, value: 'Wait' })
    await press(page, 'Take it back')
    await dialogOf(page)
      .getByText(/^Somebody changed this case while you were here/)
      .waitFor()
    expect((await now()).status).toBe('active')
    await press(page, 'Take it back')
    await dialogOf(page).waitFor({ state: 'detached' })
    expect((await now()).status).toBe('revoked')
  })

  test('that never was is told so', async () => {
    const { session, at } = await desks.desk()
    const { page } = await desks.visit(session, at('/cases/0198c0de-0000-7000-8000-000000000001'), 'Case')
    await page.getByText('There is no such case').waitFor()
  })
})
