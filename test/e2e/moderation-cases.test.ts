import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { useSession } from '../support/e2e-session.ts'
import { chooseOption, DAY, openDialog, openModerationSession, TEST_PLAYER } from '../support/moderation.ts'
import { expectSettled, fillIn, pressButton, readField } from '../support/page-actions.ts'
import { expectNoPageErrors } from '../support/page-errors.ts'

const e2e = useSession(openModerationSession)

/** Opens the case page of a two-day ban. */
async function openBanCase(more: Readonly<Record<string, string>> = {}) {
  const workspace = await e2e.createModerationWorkspace()
  const ban = await workspace.moderate({
    action: 'ban',
    ...TEST_PLAYER,
    reason: 'Exploiting',
    durationSeconds: String(2 * DAY),
    ...more,
  })
  const tab = await e2e.openScreen(workspace.toPath(`/cases/${ban.id}`), {
    session: workspace.session,
    heading: 'Case 1: ban',
  })
  const readRecord = () => workspace.readRecord(ban.id)
  return { ...workspace, ban, tab, page: tab.page, readRecord }
}

const list = (page: Page, name: string) => page.getByRole('list', { name })
/** The rows of the version comparison: field, before, after. */
const readDifferences = async (page: Page): Promise<string[][]> => {
  const rows = await page.locator('tbody tr').all()
  return Promise.all(rows.map((row) => row.locator('th, td').allTextContents()))
}

describe('a case', () => {
  test('can be edited, and shows its versions side by side', async () => {
    const { tab, page, readRecord } = await openBanCase({ evidence: 'https://example.com/a' })
    await page.getByText('This case has never been changed.').waitFor()
    await pressButton(page, 'Edit')
    await openDialog(page)
      .getByText(/^Edit case 1 of .StormRider. \(261\)$/)
      .waitFor()
    await fillIn(page, { Reason: 'Exploiting in the vault' })
    await chooseOption(page, 'Critical')
    await pressButton(page, 'Save')
    await page.getByText('Saved case 1.').waitFor()
    await openDialog(page).waitFor({ state: 'detached' })
    await expectSettled(
      () => readDifferences(page),
      [
        ['Reason', 'Exploiting', 'Exploiting in the vault'],
        ['Severity', 'High', 'Critical'],
      ],
    )
    await pressButton(page, 'Edit')
    await fillIn(page, { 'Player name': 'Storm' })
    await pressButton(page, 'Save')
    await page.locator('tbody').getByText('Player name').waitFor()
    await page.getByLabel('Before').selectOption({ index: 2 })
    await page.locator('tbody').getByText('Severity').waitFor()
    expect((await readDifferences(page)).map(([name]) => name)).toEqual(['Reason', 'Severity', 'Player name'])
    expect(await readRecord()).toMatchObject({
      reason: 'Exploiting in the vault',
      severity: 'critical',
      userUsername: 'Storm',
      evidence: ['https://example.com/a'],
    })
    await expectNoPageErrors(tab)
  })

  test('that someone else changed is not overwritten: the input stays, and their change is shown', async () => {
    const { ban, page, moderate, readRecord } = await openBanCase()
    await pressButton(page, 'Edit')
    await fillIn(page, { Reason: 'My words' })
    await moderate({ action: 'edit', id: ban.id, reason: 'Their words', severity: 'low' })
    await pressButton(page, 'Save')
    await openDialog(page).getByRole('radio', { name: 'Take theirs Their words' }).waitFor()
    await expectSettled(() => readField(page, 'Reason'), 'My words')
    await expectSettled(
      () => openDialog(page).getByRole('radio', { name: 'Low', exact: true }).isChecked(),
      true,
    )
    expect(await readRecord()).toMatchObject({ reason: 'Their words' })
    await pressButton(page, 'Save')
    await openDialog(page).waitFor({ state: 'detached' })
    expect(await readRecord()).toMatchObject({ reason: 'My words', severity: 'low' })
  })

  test('takes comments and evidence, and loads nothing from links in the evidence', async () => {
    const { tab, page, readRecord } = await openBanCase()
    await fillIn(page, { 'New evidence': 'https://example.com/clip.png\nSeen by two' })
    await pressButton(page, 'Add evidence')
    const evidence = list(page, 'Evidence')
    await evidence.getByText('Seen by two').waitFor()
    const link = evidence.getByRole('link')
    expect([await link.textContent(), await link.getAttribute('rel')]).toEqual([
      'https://example.com/clip.png',
      'noopener noreferrer nofollow',
    ])
    await fillIn(page, { 'New comment': 'Same wall as last month' })
    await pressButton(page, 'Add comment')
    await list(page, 'Comments').getByText('Same wall as last month').waitFor()
    await page.getByRole('button', { name: 'Add comment', disabled: true }).waitFor()
    await expectSettled(() => readField(page, 'New evidence'), '')
    await expectSettled(() => readField(page, 'New comment'), '')
    expect(await readRecord()).toMatchObject({
      evidence: ['https://example.com/clip.png', 'Seen by two'],
      comments: [{ text: 'Same wall as last month', authorUsername: 'robin' }],
    })
    await fillIn(page, {
      'New evidence': Array.from({ length: 9 }, (_, toPath) => `More ${toPath}`).join('\n'),
    })
    await pressButton(page, 'Add evidence')
    await page.getByText(/^A record can have at most 10 pieces of evidence/).waitFor()
    expect(await readField(page, 'New evidence')).toContain('More 8')
    await expectNoPageErrors(tab)
  })

  test('with no space left for a comment or evidence says so in the form, and keeps the input', async () => {
    const { ban, page, moderate, readRecord } = await openBanCase()
    const long = '😀'.repeat(2000)
    for (let count = 0; count < 8; count++) await moderate({ action: 'comment', id: ban.id, value: long })
    await page.getByLabel('New comment').fill(long)
    await pressButton(page, 'Add comment')
    await page
      .getByText(/^New comment is too long by 6464 bytes: .* shorten it, or add a note instead\.$/)
      .waitFor()
    expect(await readField(page, 'New comment')).toBe(long)
    await pressButton(page, 'Edit')
    const evidence = 'x'.repeat(1537)
    await fillIn(page, { Evidence: evidence })
    await pressButton(page, 'Save')
    await openDialog(page)
      .getByText(/^Evidence is too long by 1 byte: /)
      .waitFor()
    expect(await openDialog(page).getByLabel('Evidence').inputValue()).toBe(evidence)
    await openDialog(page).getByLabel('Evidence').fill(evidence.slice(1))
    await pressButton(page, 'Save')
    await openDialog(page).waitFor({ state: 'detached' })
    expect(await readRecord()).toMatchObject({ evidence: [evidence.slice(1)] })
  })

  test('shows the old and new expiry before it is extended, made permanent or shortened', async () => {
    const { ban, page, readRecord } = await openBanCase()
    const end = Date.parse(ban.expiresAt)
    const move = async (how: string, preview: RegExp) => {
      await pressButton(page, 'Change expiry')
      await chooseOption(page, how)
      await openDialog(page).getByText(preview).waitFor()
      await openDialog(page).getByRole('button', { name: 'Change expiry' }).click()
      await openDialog(page).waitFor({ state: 'detached' })
      return (await readRecord()).expiresAt
    }
    expect(Date.parse(await move('7 days longer', / will end .+ instead of .+\.$/))).toBe(
      end + 7 * DAY * 1000,
    )
    expect(await move('Permanent', / becomes permanent instead of ending .+\.$/)).toBe(null)
    await page.getByText('Banned permanently').first().waitFor()
    await pressButton(page, 'Change expiry')
    await chooseOption(page, 'Until…')
    await fillIn(page, { Until: '2031-05-01T18:30' })
    await openDialog(page)
      .getByText(/ will end .+ instead of never\.$/)
      .waitFor()
    await openDialog(page).getByRole('button', { name: 'Change expiry' }).click()
    await openDialog(page).waitFor({ state: 'detached' })
    expect(Date.parse((await readRecord()).expiresAt) - new Date('2031-05-01T18:30').getTime()).toBeLessThan(
      1000,
    )
  })

  test('can be marked as seen, and revoked with a reason', async () => {
    const { page, readRecord } = await openBanCase()
    await pressButton(page, 'Mark as seen')
    await openDialog(page).getByRole('button', { name: 'Mark as seen' }).click()
    await page.getByText('Marked case 1 as seen by the player.').waitFor()
    expect((await readRecord()).acknowledgedAt).not.toBe(null)
    await pressButton(page, 'Revoke')
    await openDialog(page)
      .getByText(/The ban ends immediately\.$/)
      .waitFor()
    await pressButton(page, 'Revoke case 1')
    await openDialog(page).getByText('Reason is required.').waitFor()
    await fillIn(page, { Reason: 'The wrong player' })
    await pressButton(page, 'Revoke case 1')
    await page.getByText(/^Lifted by robin/).waitFor()
    await openDialog(page).waitFor({ state: 'detached' })
    expect(await readRecord()).toMatchObject({ status: 'revoked', revokeReason: 'The wrong player' })
    expect(await page.getByRole('button', { name: 'Revoke' }).count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Change expiry' }).count()).toBe(0)
  })

  test('is redacted only after a warning and typing its number', async () => {
    const { page, readRecord } = await openBanCase({ evidence: 'https://example.com/private' })
    await pressButton(page, 'Redact')
    await openDialog(page).getByText('This cannot be undone.').waitFor()
    await fillIn(page, { Reason: 'Asked for' })
    await expectSettled(() => page.getByRole('button', { name: 'Redact permanently' }).isDisabled(), true)
    await fillIn(page, { 'Type 1 to confirm': '1' })
    await pressButton(page, 'Redact permanently')
    await page.getByText('The texts of this case were permanently redacted').waitFor()
    expect(await readRecord()).toMatchObject({ reason: null, evidence: [], status: 'active' })
    expect(await page.getByText('example.com/private').count()).toBe(0)
    expect(await page.getByLabel('New comment').count()).toBe(0)
    await openDialog(page).waitFor({ state: 'detached' })
    expect(await page.getByRole('button', { name: 'Redact', exact: true }).count()).toBe(0)
  })

  test('that someone else changed while a dialog is open reports it, and the next attempt succeeds', async () => {
    const { ban, page, moderate, readRecord } = await openBanCase()
    await pressButton(page, 'Revoke')
    await fillIn(page, { Reason: 'The wrong player' })
    await moderate({ action: 'comment', id: ban.id, value: 'Wait' })
    await pressButton(page, 'Revoke case 1')
    await openDialog(page)
      .getByText(/^Someone else changed this case in the meantime/)
      .waitFor()
    expect((await readRecord()).status).toBe('active')
    await pressButton(page, 'Revoke case 1')
    await openDialog(page).waitFor({ state: 'detached' })
    expect((await readRecord()).status).toBe('revoked')
  })

  test('that does not exist is reported as not found', async () => {
    const { session, toPath } = await e2e.createModerationWorkspace()
    const { page } = await e2e.openScreen(toPath('/cases/0198c0de-0000-7000-8000-000000000001'), {
      session,
      heading: 'Case',
    })
    await page.getByText('Case not found').waitFor()
  })
})
