import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { chooseOption, DAY, openDialog, openModerationSession, TEST_PLAYER } from '../support/moderation.ts'
import { expectEventually, fillIn, pressButton, readField } from '../support/page-actions.ts'
import { expectNoPageErrors } from '../support/page-errors.ts'

let e2e: Awaited<ReturnType<typeof openModerationSession>>
beforeAll(async () => {
  e2e = await openModerationSession()
})
afterEach(() => e2e.closeTabs())
afterAll(() => e2e?.close())

/** Somebody looks at the case of a ban of two days. */
async function openBanCase(more: Readonly<Record<string, string>> = {}) {
  const workspace = await e2e.createModerationWorkspace()
  const ban = await workspace.moderate({
    action: 'ban',
    ...TEST_PLAYER,
    reason: 'Exploiting',
    durationSeconds: String(2 * DAY),
    ...more,
  })
  const tab = await e2e.openScreen(workspace.session, workspace.toPath(`/cases/${ban.id}`), 'Case 1: ban')
  const readRecord = async () => (await workspace.listRecords('261'))[0]
  return { ...workspace, ban, tab, page: tab.page, readRecord }
}

const list = (page: Page, name: string) => page.getByRole('list', { name })
/** The rows of what differs, each as its name, what was, and what is. */
const readDifferences = async (page: Page): Promise<string[][]> => {
  const rows = await page.locator('tbody tr').all()
  return Promise.all(rows.map((row) => row.locator('th, td').allTextContents()))
}

describe('a case', () => {
  test('is corrected, and shows its versions side by side', async () => {
    const { tab, page, readRecord } = await openBanCase({ evidence: 'https://example.com/a' })
    await page.getByText('This case was never changed.').waitFor()
    await pressButton(page, 'Edit')
    await openDialog(page)
      .getByText(/^Edit case 1, about 261 \(.StormRider.\)$/)
      .waitFor()
    await fillIn(page, { Reason: 'Exploiting in the vault' })
    await chooseOption(page, 'Critical')
    await pressButton(page, 'Save')
    await page.getByText('Case 1 is corrected.').waitFor()
    await openDialog(page).waitFor({ state: 'detached' })
    await expectEventually(
      () => readDifferences(page),
      [
        ['Reason', 'Exploiting', 'Exploiting in the vault'],
        ['Severity', 'High', 'Critical'],
      ],
    )
    await pressButton(page, 'Edit')
    await fillIn(page, { Name: 'Storm' })
    await pressButton(page, 'Save')
    await page.locator('tbody').getByText('Name of the player').waitFor()
    await page.getByLabel('Before').selectOption({ index: 2 })
    await page.locator('tbody').getByText('Severity').waitFor()
    expect((await readDifferences(page)).map(([name]) => name)).toEqual([
      'Reason',
      'Severity',
      'Name of the player',
    ])
    expect(await readRecord()).toMatchObject({
      reason: 'Exploiting in the vault',
      severity: 'critical',
      userUsername: 'Storm',
      evidence: ['https://example.com/a'],
    })
    await expectNoPageErrors(tab)
  })

  test('that somebody else changed meanwhile is not gone over: what was typed stays, theirs is told', async () => {
    const { ban, page, moderate, readRecord } = await openBanCase()
    await pressButton(page, 'Edit')
    await fillIn(page, { Reason: 'My words' })
    await moderate({ action: 'edit', id: ban.id, reason: 'Their words', severity: 'low' })
    await pressButton(page, 'Save')
    await openDialog(page)
      .getByText(/^Reason was meanwhile changed to “.Their words.”\.$/)
      .waitFor()
    await expectEventually(() => readField(page, 'Reason'), 'My words')
    await expectEventually(() => openDialog(page).getByRole('radio', { name: 'Low' }).isChecked(), true)
    expect(await readRecord()).toMatchObject({ reason: 'Their words' })
    await pressButton(page, 'Save')
    await openDialog(page).waitFor({ state: 'detached' })
    expect(await readRecord()).toMatchObject({ reason: 'My words', severity: 'low' })
  })

  test('takes comments and evidence, whose links are texts to follow and nothing is loaded from', async () => {
    const { tab, page, readRecord } = await openBanCase()
    await fillIn(page, { 'Add evidence': 'https://example.com/clip.png\nSeen by two' })
    await pressButton(page, 'Add the evidence')
    const evidence = list(page, 'Evidence')
    await evidence.getByText('Seen by two').waitFor()
    const link = evidence.getByRole('link')
    expect([await link.textContent(), await link.getAttribute('rel')]).toEqual([
      'https://example.com/clip.png',
      'noopener noreferrer nofollow',
    ])
    await fillIn(page, { 'Add a comment': 'Same wall as last month' })
    await pressButton(page, 'Comment')
    await list(page, 'Comments').getByText('Same wall as last month').waitFor()
    await page.getByRole('button', { name: 'Comment', disabled: true }).waitFor()
    expect([await readField(page, 'Add evidence'), await readField(page, 'Add a comment')]).toEqual(['', ''])
    expect(await readRecord()).toMatchObject({
      evidence: ['https://example.com/clip.png', 'Seen by two'],
      comments: [{ text: 'Same wall as last month', authorUsername: 'robin' }],
    })
    await fillIn(page, {
      'Add evidence': Array.from({ length: 9 }, (_, toPath) => `More ${toPath}`).join('\n'),
    })
    await pressButton(page, 'Add the evidence')
    await page.getByText(/^A record can have at most 10 pieces of evidence/).waitFor()
    expect(await readField(page, 'Add evidence')).toContain('More 8')
    await expectNoPageErrors(tab)
  })

  test('whose end is moved says from when to when, later, sooner, and away', async () => {
    const { ban, page, readRecord } = await openBanCase()
    const end = Date.parse(ban.expiresAt)
    const move = async (how: string) => {
      await pressButton(page, 'Change the end')
      await chooseOption(page, how)
      await openDialog(page)
        .getByText(/ instead of until /)
        .waitFor()
      await openDialog(page).getByRole('button', { name: 'Change the end' }).click()
      await openDialog(page).waitFor({ state: 'detached' })
      return (await readRecord()).expiresAt
    }
    expect(Date.parse(await move('7 days longer'))).toBe(end + 7 * DAY * 1000)
    expect(await move('Without end')).toBe(null)
    await page.getByText('Banned without end').first().waitFor()
    await pressButton(page, 'Change the end')
    await chooseOption(page, 'Until…')
    await fillIn(page, { Until: '2031-05-01T18:30' })
    await openDialog(page)
      .getByText(/ instead of without end\.$/)
      .waitFor()
    await openDialog(page).getByRole('button', { name: 'Change the end' }).click()
    await openDialog(page).waitFor({ state: 'detached' })
    expect(Date.parse((await readRecord()).expiresAt) - new Date('2031-05-01T18:30').getTime()).toBeLessThan(
      1000,
    )
  })

  test('is marked as seen, and taken back with why', async () => {
    const { page, readRecord } = await openBanCase()
    await pressButton(page, 'Seen by the player')
    await pressButton(page, 'Mark as seen')
    await page.getByText('Case 1 is marked as seen by the player.').waitFor()
    expect((await readRecord()).acknowledgedAt).not.toBe(null)
    await pressButton(page, 'Take back')
    await openDialog(page)
      .getByText(/The ban ends with it, at once\.$/)
      .waitFor()
    await pressButton(page, 'Take it back')
    await openDialog(page).getByText('Reason is required.').waitFor()
    await fillIn(page, { Reason: 'The wrong player' })
    await pressButton(page, 'Take it back')
    await page.getByText(/^Lifted by robin/).waitFor()
    expect(await readRecord()).toMatchObject({ status: 'revoked', revokeReason: 'The wrong player' })
    expect(await page.getByRole('button', { name: 'Take back' }).count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Change the end' }).count()).toBe(0)
  })

  test('is redacted only by who types its number, after it was told what goes', async () => {
    const { page, readRecord } = await openBanCase({ evidence: 'https://example.com/private' })
    await pressButton(page, 'Redact')
    await openDialog(page).getByText('Nobody can bring the texts back.').waitFor()
    await fillIn(page, { Reason: 'Asked for' })
    await expectEventually(() => page.getByRole('button', { name: 'Redact for good' }).isDisabled(), true)
    await fillIn(page, { 'Type 1 to go on': '1' })
    await pressButton(page, 'Redact for good')
    await page.getByText('They are gone for good.').waitFor()
    expect(await readRecord()).toMatchObject({ reason: null, evidence: [], status: 'active' })
    expect(await page.getByText('example.com/private').count()).toBe(0)
    expect(await page.getByLabel('Add a comment').count()).toBe(0)
    await openDialog(page).waitFor({ state: 'detached' })
    expect(await page.getByRole('button', { name: 'Redact', exact: true }).count()).toBe(0)
  })

  test('that somebody else changed while a dialog asks is told, and can be done then', async () => {
    const { ban, page, moderate, readRecord } = await openBanCase()
    await pressButton(page, 'Take back')
    await fillIn(page, { Reason: 'The wrong player' })
    await moderate({ action: 'comment', id: ban.id, value: 'Wait' })
    await pressButton(page, 'Take it back')
    await openDialog(page)
      .getByText(/^Somebody changed this case while you were here/)
      .waitFor()
    expect((await readRecord()).status).toBe('active')
    await pressButton(page, 'Take it back')
    await openDialog(page).waitFor({ state: 'detached' })
    expect((await readRecord()).status).toBe('revoked')
  })

  test('that never was is told so', async () => {
    const { session, toPath } = await e2e.createModerationWorkspace()
    const { page } = await e2e.openScreen(
      session,
      toPath('/cases/0198c0de-0000-7000-8000-000000000001'),
      'Case',
    )
    await page.getByText('There is no such case').waitFor()
  })
})
