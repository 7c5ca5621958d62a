import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { openE2eSession, useSession } from '../support/e2e-session.ts'
import { expectFitsWindow, expectSettled } from '../support/page-actions.ts'

const session = useSession(openE2eSession)

const actorField = (page: Page) => page.getByRole('combobox', { name: 'Moderator or API key' })

test('a moderator previews a batch, starts it, reads its results and reverses it', async () => {
  const { page } = await session.openScreen(`/w/${session.owner.workspaceId}/batches?new=action`, {
    heading: 'Batches',
  })
  await page.getByLabel('IDs of players').fill('7001, 7002\n7003')
  await page.getByLabel('Reason').fill('Raid')
  await page.getByRole('button', { name: 'Preview' }).click()
  await page.getByText('3 targets: 3 will change').waitFor()
  await page.getByRole('table', { name: 'Preview' }).getByText('Will change').first().waitFor()
  await page.getByRole('button', { name: 'Start: 3 targets' }).click()
  await page.getByRole('button', { name: 'Reverse…' }).click()
  await page.getByRole('dialog').getByLabel('Reason').fill('By mistake')
  await page.getByRole('button', { name: 'Reverse the batch' }).click()
  await page.getByText('Reversal · 3 cases').waitFor()
  await page.getByText('Finished: 3 changed').waitFor()
  await page.setViewportSize({ width: 390, height: 844 })
  await expectFitsWindow(page)
})

test('cases that are selected in a list are those of the batch, and insights count what was done', async () => {
  const { page } = await session.openScreen(`/w/${session.owner.workspaceId}/moderation/records`, {
    heading: 'All cases',
  })
  await page.getByRole('button', { name: 'Select cases' }).click()
  await page.getByRole('checkbox').first().check()
  await page.getByRole('button', { name: 'Act on 1 case…' }).click()
  await page.getByText('1 ID now.').waitFor()
  const insights = await session.openScreen(`/w/${session.owner.workspaceId}/insights`, {
    heading: 'Insights',
  })
  await insights.page.getByRole('tab', { name: 'By reason' }).click()
  await insights.page.getByRole('table', { name: 'By reason' }).getByText('Raid').waitFor()
})

test('the undo of somebody who only lifted a ban is started from the list of those who changed cases, or from the audit log', async () => {
  const workspaceId = await session.createWorkspace('Raided')
  const ban = { action: 'ban', userId: '8001', reason: 'Exploiting' }
  await session.requestAsOwner('POST', '/api/moderation', ban, workspaceId)
  const owner = { workspaceId, session: session.owner.session }
  const raider = await session.server.createMember(owner, 'mallory', [
    'moderation.view',
    'moderation.unban',
    'moderation.note',
    'moderation.link',
    'api_keys.manage',
  ])
  const post = (path: string, fields: object) =>
    session.server.requestOk('POST', path, { session: raider, body: { workspaceId, ...fields } })
  await post('/api/moderation', { action: 'unban', userId: '8001' })
  await post('/api/moderation/links', {
    userId: '8001',
    linkedUserId: '8002',
    confidence: 'low',
    reason: 'Same clan',
  })
  const key = (await post('/portal/api/api-keys', { name: 'Bot', permissions: 'moderation.note' })).body
    .secret
  await session.server.requestWithKey(key, '/api/moderation', {
    workspaceId,
    action: 'note',
    userId: '8001',
    reason: 'Raid',
  })
  // In the time zone of the browser, which is that of this process.
  const before = new Date(Date.now() - 60_000 * (1 + new Date().getTimezoneOffset()))
  const since = before.toISOString().slice(0, 16)
  const preview = async () => {
    const tab = await session.openScreen(`/w/${workspaceId}/batches?new=undo`, { heading: 'Batches' })
    await actorField(tab.page).click()
    await tab.page.getByRole('option', { name: 'mallory' }).click()
    await tab.page.getByLabel('Since').fill(since)
    await tab.page.getByLabel('Reason').fill('Raid')
    await tab.page.getByRole('button', { name: 'Preview' }).click()
    return tab.page
  }
  const page = await preview()
  await page.getByText('1 target: 1 will change').waitFor()
  await page.getByRole('button', { name: 'Start: 1 target' }).click()
  await page.getByText('Finished: 1 changed').waitFor()

  const log = await session.openScreen(`/w/${workspaceId}/audit?what=moderation.unban`, {
    heading: 'Audit log',
  })
  await log.page.getByRole('combobox', { name: 'Actor' }).click()
  await log.page.getByRole('option', { name: 'mallory' }).click()
  await log.page.getByRole('link', { name: 'Undo what they did to cases…' }).click()
  await actorField(log.page).waitFor()
  expect(await actorField(log.page).inputValue()).toBe('mallory')

  const again = await preview()
  const more = again.getByRole('alert').filter({ hasText: 'This undo is not everything' })
  await more.getByText('Links between players: 1').waitFor()
  const auditLink = await more.getByRole('link', { name: 'See them in the audit log' }).getAttribute('href')
  expect(auditLink).toMatch(/\/audit\?who=[0-9a-f-]+&from=\d{4}-\d\d-\d\d$/)
  await more.getByText('The same person also changed cases as Bot: 1 change.').waitFor()
  await more.getByRole('link', { name: 'Undo these too…' }).click()
  await more.waitFor({ state: 'detached' })
  await expectSettled(() => actorField(again).inputValue(), 'Bot')
  expect(await again.getByLabel('Since').inputValue()).toBe(since)
})
