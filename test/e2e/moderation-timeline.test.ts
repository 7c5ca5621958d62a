import { expect, test } from 'bun:test'
import { useSession } from '../support/e2e-session.ts'
import { openModerationSession, TEST_PLAYER } from '../support/moderation.ts'
import { expectSettled, pressButton } from '../support/page-actions.ts'
import { expectNoPageErrors } from '../support/page-errors.ts'

const e2e = useSession(openModerationSession)

test('a player’s history is filtered by action and by what is in force, in the URL', async () => {
  const { session, toPath, moderate } = await e2e.createModerationWorkspace()
  const act = (action: string, reason: string) => moderate({ action, ...TEST_PLAYER, reason })
  await act('warn', 'First')
  const revoked = await act('kick', 'Second')
  await moderate({ action: 'revoke', id: revoked.id, reason: 'Wrong' })
  await act('mute', 'Third')
  await act('ban', 'Fourth')
  await act('ban', 'Fifth')
  const tab = await e2e.openScreen(toPath('/players/261'), { session })
  const { page } = tab
  const history = page.getByRole('list', { name: 'History', exact: true })
  const reasons = async () =>
    (await history.locator('bdi').allTextContents()).filter((text) => /^(Fi|Se|Th|Fo)/.test(text))
  const show = async (option: string) => {
    await page.getByRole('combobox', { name: 'Show' }).click()
    await page.getByRole('option', { name: option }).click()
  }
  await history.getByText('First').waitFor()
  await show('In force now')
  await expectSettled(reasons, ['Fifth', 'Third'])
  await show('Not revoked')
  await expectSettled(reasons, ['Fifth', 'Fourth', 'Third', 'First'])
  await page.getByRole('combobox', { name: 'Action' }).click()
  await page.getByRole('option', { name: 'Ban' }).click()
  await page.keyboard.press('Escape')
  await expectSettled(reasons, ['Fifth', 'Fourth'])
  expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({ action: 'ban', show: 'not-revoked' })
  await page.reload()
  await history.getByText('Fifth').waitFor()
  await expectSettled(reasons, ['Fifth', 'Fourth'])
  await pressButton(page, 'Clear filters')
  await expectSettled(reasons, ['Fifth', 'Fourth', 'Third', 'Second', 'First'])
  await expectNoPageErrors(tab)
})

test('a player’s history with filters in the URL is read with these filters only', async () => {
  const { session, toPath, moderate } = await e2e.createModerationWorkspace()
  await moderate({ action: 'warn', ...TEST_PLAYER, reason: 'First' })
  await moderate({ action: 'ban', ...TEST_PLAYER, reason: 'Second' })
  const { page } = await e2e.openScreen(toPath('/players/261?action=ban'), { session })
  const actions: (string | null)[] = []
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname === '/api/moderation') actions.push(searchParams.get('action'))
  })
  await page.reload()
  await page.getByRole('list', { name: 'History', exact: true }).getByText('Second').waitFor()
  expect([...new Set(actions)]).toEqual(['ban'])
})

test('a ban that a bot lifted for somebody names them in the history, on the case and in its versions', async () => {
  const { session, workspaceId, toPath, moderate } = await e2e.createModerationWorkspace()
  const ban = await moderate({ action: 'ban', ...TEST_PLAYER, reason: 'Exploiting' })
  const { secret } = await e2e.requestAsOwner(
    'POST',
    '/portal/api/api-keys',
    { name: 'Discord bot', permissions: 'moderation.unban' },
    workspaceId,
  )
  const lifted = await fetch(`${e2e.server.origin}/api/moderation`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      ...{ workspaceId, action: 'unban', id: ban.id, reason: 'Appealed' },
      ...{ actorPlatformUserId: '156', actorUsername: 'clockwork' },
    }),
  })
  expect(lifted.status).toBe(200)
  const tab = await e2e.openScreen(toPath('/players/261'), { session })
  const { page } = tab
  const history = page.getByRole('list', { name: 'History', exact: true })
  await history.getByText(/^Lifted by clockwork, /).waitFor()
  await history.getByRole('link', { name: 'Case 1' }).click()
  await page.getByText(/^Lifted by clockwork \(platform ID 156\), .*: Appealed$/).waitFor()
  const versions = page.getByRole('combobox', { name: 'After' }).getByRole('option')
  await expectSettled(
    async () => (await versions.allTextContents()).map((label) => /, by (.+?),/.exec(label)?.[1]),
    ['clockwork', 'robin'],
  )
  await expectNoPageErrors(tab)
})
