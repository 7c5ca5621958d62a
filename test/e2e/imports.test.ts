import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { openE2eSession, useSession } from '../support/e2e-session.ts'
import { importCsv } from '../support/import-csv.ts'
import {
  expectBlocked,
  expectFitsWindow,
  fillIn,
  pressButton,
  readField,
  waitUntil,
} from '../support/page-actions.ts'
import { expectNoPageErrors } from '../support/page-errors.ts'

const e2e = useSession(openE2eSession)

const FILE = join(import.meta.dir, '../import/bans.csv')

const SIZES = [
  { name: 'phone', viewport: { width: 390, height: 844 }, hasTouch: true },
  { name: 'desktop', viewport: { width: 1440, height: 900 } },
] as const

for (const { name, ...size } of SIZES)
  test(`on a ${name}, a CSV file is checked with chosen columns, its problems are listed, and it is imported`, async () => {
    const workspace = await e2e.createWorkspaceFixture()
    const tab = await workspace.openScreen('/configuration/import', { heading: 'Import', browser: size })
    const { page } = tab
    await page.getByLabel('Format').selectOption('csv')
    await page.locator('input[type="file"]').setInputFiles(FILE)
    await page.getByLabel('Player ID').selectOption('player')
    await page.getByLabel(/^Time/).selectOption('when')
    await page.getByLabel('Reason').selectOption('why')
    // Found by their headers.
    expect(await page.getByLabel('Expires').inputValue()).toBe('until')
    await pressButton(page, 'Check the file')
    await page.getByText('2 records would be created').waitFor()
    const problems = page.getByRole('table', { name: 'Entries of the file' })
    await problems.getByText('Time is not a time: someday').waitFor()
    expect(await problems.getByRole('row').allTextContents()).toEqual([
      ...['LineProblem', '4Player ID is missing', '5Time is not a time: someday'],
      '6the row has 9 cells, but the header has 7',
    ])
    await expectFitsWindow(page)
    await pressButton(page, 'Import 2 records…')
    await page.getByRole('dialog').getByRole('button', { name: 'Import', exact: true }).click()
    await page.getByText('2 records created').waitFor()
    const { records } = await workspace.readAsOwner('/api/moderation')
    expect(records.map(({ userId, reason }: Record<string, string>) => [userId, reason])).toEqual([
      ['156', 'Scamming; twice'],
      ['261', 'Exploiting'],
    ])
    await expectNoPageErrors(tab)
  })

test('a newer file that only lifts a ban says so before it is imported, and after', async () => {
  const workspace = await e2e.createWorkspaceFixture()
  const tab = await workspace.openScreen('/configuration/import', { heading: 'Import' })
  const { page } = tab
  const check = async (unbannedAt: string) => {
    await page.getByLabel('Format').selectOption('csv')
    const csv = `player_id,date,unbanned_at\n261,2026-01-05,${unbannedAt}\n`
    const file = { name: 'bans.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) }
    await page.locator('input[type="file"]').setInputFiles(file)
    await pressButton(page, 'Check the file')
    await pressButton(page, 'Import 1 record…')
  }
  const confirm = () => page.getByRole('dialog').getByRole('button', { name: 'Import', exact: true }).click()
  await check('')
  await confirm()
  await page.getByText('1 record created').waitFor()
  await check('2026-01-10')
  await page.getByText('1 would be lifted').waitFor()
  await page.getByText('1 record of earlier imports will be lifted, because bans.csv says so.').waitFor()
  await confirm()
  await page.getByText('1 lifted').waitFor()
  const { records } = await workspace.readAsOwner('/api/moderation')
  expect(records).toMatchObject([{ userId: '261', status: 'revoked' }])
  await expectNoPageErrors(tab)
})

test('a file of Excel offers its columns in UTF-16, and in another encoding says how to save it', async () => {
  const workspace = await e2e.createWorkspaceFixture()
  const tab = await workspace.openScreen('/configuration/import', { heading: 'Import' })
  const { page } = tab
  await page.getByLabel('Format').selectOption('csv')
  const csv = 'Spieler;Name;Datum\n261;Jürgen;2026-01-05\n'
  const choose = async (buffer: Buffer) => {
    const file = { name: 'bans.csv', mimeType: 'text/csv', buffer }
    await page.locator('input[type="file"]').setInputFiles(file)
    await page.getByLabel('Player ID').selectOption('Spieler')
    await page.getByLabel(/^Time/).selectOption('Datum')
    await page.getByLabel('Player name').selectOption('Name')
  }
  await choose(Buffer.from(`\ufeff${csv}`, 'utf16le'))
  await choose(Buffer.from(csv, 'utf16le'))
  await choose(Buffer.from(csv, 'latin1'))
  await pressButton(page, 'Check the file')
  await page.getByText('1 entry has characters that are not UTF-8, which arrive as \ufffd: line 2.').waitFor()
  await expectNoPageErrors(tab)
})

test('an imported ban says everywhere when it happened, and lists say when it was imported', async () => {
  const workspace = await e2e.createWorkspaceFixture()
  await importCsv(workspace, ['userId,occurredAt,moderator', '261,2021-01-05,Sören'])
  const tab = await workspace.openScreen('/moderation/players/261')
  const { page } = tab
  await page.getByText(/^Case 1 by Sören, since \d years ago$/).waitFor()
  const inLists = /by Sören, \d years ago, imported (just now|\d+ seconds? ago|1 minute ago)/
  await page.getByRole('list', { name: 'History', exact: true }).getByText(inLists).waitFor()
  await page.getByRole('link', { name: 'Moderation', exact: true }).first().click()
  await page.getByRole('list').getByText(inLists).first().waitFor()
  await expectNoPageErrors(tab)
})

for (const { name, ...size } of SIZES)
  test(`on a ${name}, a chosen file is not lost without a question, and waits while a colleague imports`, async () => {
    const workspace = await e2e.createWorkspaceFixture()
    const tab = await workspace.openScreen('/configuration/import', { heading: 'Import', browser: size })
    const { page } = tab
    const chosen = page.getByText('bans.csv', { exact: true })
    await page.getByLabel('Format').selectOption('csv')
    await page.locator('input[type="file"]').setInputFiles(FILE)
    await chosen.waitFor()
    await waitUntil(page, `!dispatchEvent(new Event('beforeunload', { cancelable: true }))`)
    const leave = () => page.getByRole('link', { name: 'Home', exact: true }).first().click()
    await leave()
    await page.getByRole('dialog', { name: 'Discard changes?' }).waitFor()
    await pressButton(page, 'Keep editing')

    await fillIn(page, { Source: 'Old server' })
    const begun = await workspace.requestAsOwner('POST', '/portal/api/imports', {
      format: 'csv',
      conflicts: 'skip',
      fileName: 'theirs.csv',
      sizeBytes: '10',
      dryRun: 'true',
      keepIp: 'false',
    })
    await page.getByRole('heading', { name: 'Check of theirs.csv' }).waitFor()
    await expectBlocked(page, 'Check the file', 'An import has not ended: wait for it, or cancel it.')
    expect(await readField(page, 'Source')).toBe('Old server')
    await workspace.requestAsOwner('POST', '/portal/api/imports/cancel', { id: begun.import.id })
    await page.getByRole('button', { name: 'Check the file', disabled: false }).waitFor()
    await chosen.waitFor()

    await leave()
    await pressButton(page, 'Discard changes')
    await page.getByRole('heading', { name: 'Import', exact: true }).waitFor({ state: 'detached' })
    await expectNoPageErrors(tab)
  })
