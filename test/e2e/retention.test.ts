import { beforeEach, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import type { Permission } from '@reeve/core'
import { applyRetention } from '@reeve/moderation'
import { useInstancePerTest } from '../support/e2e-session.ts'
import { DESKTOP, fillIn, PHONE, waitForHeading, waitUntil } from '../support/page-actions.ts'
import { expectNoPageErrors } from '../support/page-errors.ts'

const DAY = 86_400_000

const server = useInstancePerTest()
let workspace: Awaited<ReturnType<typeof server.instance.workspace>>
beforeEach(async () => {
  workspace = await server.instance.workspace('Night shift')
})

const send = (path: string, body: object) =>
  server.instance.request('POST', path, {
    key: workspace.key,
    body: { workspaceId: workspace.id, ...body },
  })

const read = async (path: string) =>
  (await server.instance.request('GET', `${path}?workspaceId=${workspace.id}`, { key: workspace.key })).body

async function openPage(
  path: string,
  heading: string,
  permissions: readonly Permission[],
  browser = DESKTOP,
) {
  const { session } = await server.instance.member(workspace.id, permissions)
  const opened = await server.openScreen(`/w/${workspace.id}${path}`, { session, browser })
  await waitForHeading(opened.page, heading)
  return opened
}

for (const [name, browser] of [
  ['desktop', DESKTOP],
  ['phone', PHONE],
] as const)
  test(`on a ${name}, rules say before they are saved how many cases they delete tonight, and delete them`, async () => {
    const { clock, db, ports } = server.instance
    for (const action of ['note', 'note', 'warn'])
      await send('/api/moderation', { action, userId: '261', reason: 'Old' })
    clock.advance(3 * DAY)
    const permissions: Permission[] = ['moderation.view', 'moderation.configure']
    const opened = await openPage('/configuration/retention', 'Retention', permissions, browser)
    const { page } = opened
    // On a phone, a toast covers the button.
    const save = () => page.getByLabel('Notes').press('Enter')
    // Nothing is as old as that.
    await fillIn(page, { Notes: '365' })
    await save()
    await page.getByText('Saved the retention rules.').waitFor()
    await fillIn(page, { Warnings: '0' })
    await save()
    await page.getByText(/^Warnings must be/).waitFor()

    await fillIn(page, { Notes: '2', Warnings: '2' })
    await save()
    const dialog = page.getByRole('dialog', { name: 'Delete 3 cases tonight?' })
    await dialog.getByText('2 notes, 1 warning would be deleted').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'detached' })
    const readRules = async () => (await read('/api/moderation/retention')).retention
    expect(await readRules()).toMatchObject({ noteDays: '365', warnDays: null })
    await save()
    await dialog.getByRole('button', { name: 'Save and delete' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await readRules()).toMatchObject({ noteDays: '2', warnDays: '2' })
    expect(
      await page.evaluate('document.documentElement.scrollWidth <= document.documentElement.clientWidth'),
    ).toBe(true)
    clock.advance(DAY)
    await applyRetention(db, ports, AbortSignal.timeout(60_000))
    expect((await read('/api/moderation')).records).toEqual([])
    await expectNoPageErrors(opened)
  })

test('rules that another person has changed while the deletion is confirmed are shown, and not overwritten', async () => {
  await send('/api/moderation', { action: 'note', userId: '261', reason: 'Old' })
  server.instance.clock.advance(3 * DAY)
  const permissions: Permission[] = ['moderation.view', 'moderation.configure']
  const opened = await openPage('/configuration/retention', 'Retention', permissions)
  const { page } = opened
  await fillIn(page, { Notes: '2' })
  await page.getByLabel('Notes').press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Delete 1 case tonight?' })
  await dialog.waitFor()
  await send('/api/moderation/retention', { noteDays: 90, warnDays: 30 })
  await dialog.getByRole('button', { name: 'Save and delete' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('alert').getByText('Someone else changed this set of rules').waitFor()
  const changes = page.getByRole('region', { name: 'Changed by someone else' })
  expect(await changes.locator('legend').allTextContents()).toEqual(['Notes', 'Warnings'])
  await changes
    .getByRole('group', { name: 'Notes' })
    .getByRole('radio', { name: /^Take theirs/ })
    .check()
  await page.getByLabel('Mutes').fill('365')
  await page.getByLabel('Mutes').press('Enter')
  await page.getByText('Saved the retention rules.').waitFor()
  expect((await read('/api/moderation/retention')).retention).toMatchObject({
    noteDays: '90',
    warnDays: '30',
    muteDays: '365',
  })
  await expectNoPageErrors(opened)
})

test('rules of another person appear at once, and who may only view them cannot change them', async () => {
  const opened = await openPage('/configuration/retention', 'Retention', ['moderation.view'])
  expect(await opened.page.getByLabel('Notes').isDisabled()).toBe(true)
  expect(await opened.page.getByRole('button', { name: 'Save' }).count()).toBe(0)
  await send('/api/moderation/retention', { noteDays: 90 })
  await waitUntil(opened.page, "[...document.querySelectorAll('input')].some(({ value }) => value === '90')")
  await expectNoPageErrors(opened)
})

test('the filtered list of cases is downloaded as CSV and, with the permission, as JSON Lines', async () => {
  for (const [action, userId] of [
    ['note', '1'],
    ['warn', '1'],
    ['warn', '2'],
  ])
    await send('/api/moderation', { action, userId, reason: `About ${userId}` })
  const path = '/moderation/records?action=warn'
  const opened = await openPage(path, 'All cases', ['moderation.view', 'moderation.export'])
  const download = async (name: string) => {
    const event = opened.page.waitForEvent('download')
    await opened.page.getByRole('link', { name, exact: true }).click()
    const file = await event
    return { name: file.suggestedFilename(), text: readFileSync(await file.path(), 'utf8') }
  }
  const csv = await download('CSV')
  expect(csv.name).toMatch(/^records-.*\.csv$/)
  expect(csv.text.trimEnd().split('\r\n')).toHaveLength(1 + 2)
  const jsonl = await download('JSON Lines')
  expect(jsonl.name).toMatch(/^records-.*\.jsonl$/)
  const lines = jsonl.text.trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { action: 'warn', userId: '2', reason: 'About 2', versions: [] },
    { action: 'warn', userId: '1', reason: 'About 1' },
  ])
  const viewer = await openPage('/moderation/records', 'All cases', ['moderation.view'])
  await viewer.page.getByRole('link', { name: 'CSV', exact: true }).waitFor()
  expect(await viewer.page.getByRole('link', { name: 'JSON Lines' }).count()).toBe(0)
  await expectNoPageErrors(opened)
})
