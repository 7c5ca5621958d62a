import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { openE2eSession, useSession } from '../support/e2e-session.ts'
import { expectFitsWindow, expectSettled, openInApp, readFieldNote } from '../support/page-actions.ts'

const session = useSession(openE2eSession)

async function chooseOption(page: Page, field: string, name: string) {
  await page.getByRole('combobox', { name: field }).click()
  await page.getByRole('option', { name, exact: true }).click()
}

const actorField = (page: Page) => page.getByRole('combobox', { name: 'Moderator or API key' })

test('a moderator previews a batch, starts it, reads its results and reverses it', async () => {
  const { page } = await session.openScreen(`/w/${session.owner.workspaceId}/batches?new=action`, {
    heading: 'Batches',
  })
  await page.getByLabel('IDs of players').fill('7001, 7002\n7003')
  await page.getByLabel('Reason').fill('Raid')
  await page.getByRole('button', { name: 'Preview' }).click()
  await page.getByText('Duration is required.').waitFor()
  await chooseOption(page, 'Duration', '7 days')
  await page.getByRole('button', { name: 'Preview' }).click()
  await page.getByText('3 targets: 3 will change').waitFor()
  await page.getByRole('table', { name: 'Preview' }).getByText('Ban for 7 days').nth(2).waitFor()
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
  const other = await session.createWorkspace('Elsewhere')
  const { page } = await session.openScreen(`/w/${session.owner.workspaceId}/moderation/records`, {
    heading: 'All cases',
  })
  await page.getByRole('button', { name: 'Select cases' }).click()
  await page.getByRole('checkbox').first().check()
  await page.getByRole('button', { name: 'Act on 1 case…' }).click()
  await page.getByText('1 ID now.').waitFor()
  // Neither another workspace nor a later visit starts with these cases.
  for (const workspaceId of [other, session.owner.workspaceId]) {
    await openInApp(page, `/w/${workspaceId}/batches?new=action`)
    await page.getByLabel('IDs of players').waitFor()
    expect(await page.getByText('1 ID now.').count()).toBe(0)
  }
  const insights = await session.openScreen(`/w/${session.owner.workspaceId}/insights`, {
    heading: 'Insights',
  })
  await insights.page.getByRole('tab', { name: 'By reason' }).click()
  await insights.page.getByRole('table', { name: 'By reason' }).getByText('Raid').waitFor()
})

test('cases that are pasted as players are refused at their field, with what to do instead', async () => {
  const workspaceId = await session.createWorkspace('Pasted')
  const ban = { action: 'ban', userId: '9003', reason: 'Exploiting' }
  const { record } = await session.requestAsOwner('POST', '/api/moderation', ban, workspaceId)
  const { page } = await session.openScreen(`/w/${workspaceId}/batches?new=action`, { heading: 'Batches' })
  await chooseOption(page, 'Duration', 'Permanent')
  await page.getByLabel('Reason').fill('Raid')
  const expectRefused = async (field: string, ids: string, note: string) => {
    await page.getByLabel(field).fill(ids)
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByText(note).waitFor()
    const [isInvalid, text] = await readFieldNote(page, field)
    expect([isInvalid, text.includes(note)]).toEqual(['true', true])
  }
  const number = `#${record.caseNumber}`
  const isNumber = `must be IDs, and ${number} is a case number: use “Select cases” above a list of cases instead.`
  await expectRefused('IDs of players', `9004 ${number}`, `Players ${isNumber}`)
  await expectRefused(
    'IDs of players',
    `9004 ${record.id}`,
    `Players must not have ${record.id}, which is the ID of a case`,
  )
  await chooseOption(page, 'Action', 'Revoke')
  await expectRefused('IDs of cases', number, `Cases ${isNumber}`)
})

test('active bans that are selected in a list are lifted, and a batch that bans their players names them and what it replaces', async () => {
  const workspaceId = await session.createWorkspace('Selected')
  const [first, second] = [
    await session.requestAsOwner(
      'POST',
      '/api/moderation',
      { action: 'ban', userId: '9001', userUsername: 'Robin', reason: 'Exploiting' },
      workspaceId,
    ),
    await session.requestAsOwner(
      'POST',
      '/api/moderation',
      { action: 'ban', userId: '9002', reason: 'Exploiting' },
      workspaceId,
    ),
  ].map(({ record }) => record)
  const { page } = await session.openScreen(`/w/${workspaceId}/moderation/bans`, { heading: 'Active bans' })
  await page.getByRole('list', { name: 'Active bans' }).getByRole('listitem').nth(1).waitFor()
  await page.getByRole('button', { name: 'Select cases' }).click()
  await page.getByRole('button', { name: 'Select all that are loaded' }).click()
  await page.getByRole('button', { name: 'Act on 2 cases…' }).click()
  await expectSettled(() => page.getByLabel('IDs of cases').inputValue(), `${second.id}\n${first.id}`)
  await chooseOption(page, 'Action', 'Ban')
  await expectSettled(() => page.getByLabel('IDs of players').inputValue(), '9002\n9001')
  await chooseOption(page, 'Duration', 'Permanent')
  await page.getByLabel('Reason').fill('Raid')
  await page.getByRole('button', { name: 'Preview' }).click()
  const robin = page.getByRole('row', { name: '9001' })
  await robin.getByText('Robin').waitFor()
  await robin.getByText(`Permanent ban, replaces case ${first.caseNumber}`).waitFor()

  await page.getByLabel('IDs of players').fill('9001')
  await chooseOption(page, 'Action', 'Revoke')
  await expectSettled(() => page.getByLabel('IDs of cases').inputValue(), first.id)
  await page.getByLabel('IDs of cases').fill(`${first.id}\n${second.id}`)
  await chooseOption(page, 'Action', 'Unban')
  await page.getByRole('button', { name: 'Preview' }).click()
  await page.getByText('2 targets: 2 will change').waitFor()
  await page.getByRole('button', { name: 'Start: 2 targets' }).click()
  await page.getByText('Finished: 2 changed').waitFor()
  await page.getByRole('tab', { name: 'Act on many' }).click()
  await chooseOption(page, 'Action', 'Unban')
  await page.getByLabel('Reason').fill('Again')
  await page.getByRole('button', { name: 'Preview' }).click()
  await page.getByText('2 targets: 0 will change, 2 will be left alone').waitFor()
  expect(await page.getByRole('button', { name: /^Start/ }).count()).toBe(0)
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
  // The first undo has not been started, and its reason is not kept.
  await again.getByRole('button', { name: 'Discard changes' }).click()
  await more.waitFor({ state: 'detached' })
  await expectSettled(() => actorField(again).inputValue(), 'Bot')
  expect(await again.getByLabel('Since').inputValue()).toBe(since)
})

test('an undo says that attached files are removed for good, and so does its reversal', async () => {
  const { workspaceId, openScreen, requestAsOwner } = await session.createWorkspaceFixture()
  const owner = { workspaceId, session: session.owner.session }
  const permissions = ['moderation.note', 'moderation.evidence'] as const
  const ban = { action: 'ban', userId: '8101', reason: 'Exploiting' }
  const { record } = await requestAsOwner('POST', '/api/moderation', ban)
  const note = { workspaceId, action: 'note', userId: '8102', reason: 'Raid' }
  const query = new URLSearchParams({ workspaceId, id: record.id, name: 'log.txt' })
  const attach = (cookie: string) =>
    fetch(`${session.server.origin}/portal/api/moderation/evidence-files?${query}`, {
      method: 'POST',
      headers: { cookie: `reeve_session=${cookie}`, 'sec-fetch-site': 'same-origin' },
      body: 'Raid',
    })
  const member = async (name: string) => {
    const cookie = await session.server.createMember(owner, name, permissions)
    await session.server.requestOk('POST', '/api/moderation', { session: cookie, body: note })
    return cookie
  }
  await member('nathan')
  expect((await attach(await member('trudy'))).status).toBe(200)
  const { page } = await openScreen('/batches?new=undo', { heading: 'Batches' })
  await page.getByLabel('Since').fill('2020-01-01T00:00')
  await page.getByLabel('Reason').fill('Raid')
  const removal = page.getByText('Files that they attached to cases of others are removed for good')
  const preview = async (name: string) => {
    await actorField(page).click()
    await page.getByRole('option', { name }).click()
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByRole('table', { name: 'Preview' }).waitFor()
  }
  await preview('nathan')
  expect(await removal.count()).toBe(0)
  await preview('trudy')
  await removal.waitFor()
  await page.getByText('Attach a file: 1 · Note: 1').waitFor()
  await page.getByRole('button', { name: 'Start: 2 targets' }).click()
  await page.getByText('Finished: 2 changed').waitFor()
  await page.getByRole('button', { name: 'Reverse…' }).click()
  await page.getByRole('dialog').getByText('Files that the undo removed do not come back.').waitFor()
})

test('a batch that would shorten a permanent ban says so, and one that was imposed after the preview stops it', async () => {
  const workspaceId = await session.createWorkspace('Meanwhile')
  const ban = (userId: string) =>
    session.requestAsOwner('POST', '/api/moderation', { action: 'ban', userId, reason: 'x' }, workspaceId)
  const readBans = async () =>
    (await session.readAsOwner('/api/moderation', { banList: 'true' }, workspaceId)).bans
  await ban('9101')
  const { page } = await session.openScreen(`/w/${workspaceId}/batches?new=action`, { heading: 'Batches' })
  await page.getByLabel('IDs of players').fill('9101\n9102')
  await page.getByLabel('Reason').fill('Raid')
  await chooseOption(page, 'Duration', '1 day')
  await page.getByRole('button', { name: 'Preview' }).click()
  const effect = (userId: string) => page.getByRole('row', { name: userId })
  await effect('9101').getByText('Ban for 1 day, replaces case 1 (permanent)').waitFor()
  await effect('9101').getByText('Shortens the player’s ban').waitFor()
  expect(await effect('9102').getByText('Shortens').count()).toBe(0)
  await ban('9102')
  const start = page.getByRole('button', { name: 'Start: 2 targets' })
  await start.click()
  await page.getByText('The batch would now do something else. Nothing has been done yet').waitFor()
  await effect('9102').getByText('Shortens the player’s ban').waitFor()
  expect((await readBans()).map(({ expiresAt }: { expiresAt: unknown }) => expiresAt)).toEqual([null, null])
  await start.click()
  await page.getByText('Finished: 2 changed').waitFor()

  const again = await session.openScreen(`/w/${workspaceId}/batches?new=action`, { heading: 'Batches' })
  await again.page.getByLabel('IDs of players').fill('9103\n9104')
  await again.page.getByLabel('Reason').fill('Raid')
  await chooseOption(again.page, 'Duration', '1 day')
  await again.page.getByRole('button', { name: 'Preview' }).click()
  await again.page.route('**/api/moderation/batches', async (route) => {
    if (route.request().method() === 'POST' && !route.request().postDataJSON().dryRun) await ban('9104')
    await route.continue()
  })
  await again.page.getByRole('button', { name: 'Start: 2 targets' }).click()
  await again.page.getByText('Finished: 1 changed, 1 refused or left alone').waitFor()
  await again.page
    .getByRole('row', { name: '9104' })
    .getByText(/^In the meantime, this player got another ban: case \d+ by /)
    .waitFor()
  expect((await readBans()).map(({ expiresAt }: { expiresAt: unknown }) => expiresAt === null)).toContain(
    true,
  )

  await again.page.getByRole('button', { name: 'Act on those left alone…' }).click()
  await expectSettled(() => again.page.getByLabel('IDs of players').inputValue(), '9104')
  await chooseOption(again.page, 'Duration', 'Permanent')
  await again.page.getByLabel('Reason').fill('Raid')
  await again.page.getByRole('button', { name: 'Preview' }).click()
  await again.page
    .getByRole('row', { name: '9104' })
    .getByText(/^Permanent ban, replaces case \d+ \(permanent\)$/)
    .waitFor()
})
