import { describe, expect, test } from 'bun:test'
import { openE2eSession, useSession } from '../support/e2e-session.ts'
import { expectSettled, pressButton, XSS_PAYLOAD } from '../support/page-actions.ts'
import { expectNoPageErrors } from '../support/page-errors.ts'
import { GROUP } from '../support/server.ts'

const HOUR = 3_600_000

const e2e = useSession(openE2eSession)

const openHome = (session = e2e.owner.session, workspaceId = e2e.owner.workspaceId, name = GROUP) =>
  e2e.openScreen(`/w/${workspaceId}`, { session, heading: name })
const banPlayer = (userId: string, workspaceId?: string) =>
  e2e.requestAsOwner('POST', '/api/moderation', { action: 'ban', userId, reason: 'Exploiting' }, workspaceId)

describe('the first steps', () => {
  test('are checked off live, and disappear when all are done', async () => {
    const id = await e2e.createWorkspace('Step by step')
    const { page } = await openHome(e2e.owner.session, id, 'Step by step')
    await page.getByText('0 of 6 done.').waitFor()
    await page.getByRole('link', { name: 'Set up a department' }).waitFor()
    const post = (path: string, body: object) => e2e.requestAsOwner('POST', path, body, id)
    await post('/api/departments', { name: 'Builders' })
    await page.getByText('1 of 6 done.').waitFor()
    expect(await page.getByRole('link', { name: 'Set up a department' }).count()).toBe(0)
    await post('/portal/api/roles', { name: 'Moderator', rank: '10', permissions: '' })
    await post('/portal/api/api-keys', { name: 'Game server', permissions: '' })
    await post('/api/events', { title: 'Opening', scheduledFor: new Date().toISOString() })
    await banPlayer('1', id)
    await page.getByText('5 of 6 done.').waitFor()
    await e2e.server.createAccount('second')
    await post('/portal/api/members', { username: 'second' })
    await page.getByText('First steps').waitFor({ state: 'detached' })
  })

  test('can be dismissed permanently', async () => {
    const id = await e2e.createWorkspace('Enough')
    const { page } = await openHome(e2e.owner.session, id, 'Enough')
    await pressButton(page, 'Dismiss the first steps')
    await page.getByText('First steps').waitFor({ state: 'detached' })
    await page.reload()
    await page.getByText('Active sanctions').waitFor()
    expect(await page.getByText('First steps').count()).toBe(0)
  })

  test('link to the page of each step', async () => {
    const id = await e2e.createWorkspace('Leading')
    const { page } = await openHome(e2e.owner.session, id, 'Leading')
    await page.getByRole('link', { name: /^Create a role/ }).click()
    await page.waitForURL(`**/w/${id}/roles`)
  })
})

describe('the overview', () => {
  test('shows active bans and today’s activity, and updates live', async () => {
    const { session, workspaceId } = e2e.owner
    const otherSession = await e2e.server.createMember(e2e.owner, 'night-owl', [
      'moderation.view',
      'moderation.ban',
    ])
    await banPlayer('261')
    const tab = await openHome()
    const { page } = tab
    const bans = page.getByRole('link', { name: /^\d+ bans?$/ })
    await expectSettled(() => bans.textContent(), '1ban')
    await page.getByRole('list', { name: 'Most active' }).getByText('robin').waitFor()
    await e2e.server.requestOk('POST', '/api/moderation', {
      session: otherSession,
      body: { workspaceId, action: 'ban', userId: '262', reason: 'Spam' },
    })
    await page.getByRole('link', { name: '2 bans' }).waitFor()
    await banPlayer('263')
    await page.getByRole('link', { name: '3 bans' }).waitFor()
    await page.getByRole('list', { name: 'Most active' }).getByText('night-owl').waitFor()
    await bans.click()
    await page.waitForURL(`**/w/${workspaceId}/moderation/bans`)
    await e2e.server.requestOk('POST', '/api/moderation', {
      session,
      body: { workspaceId, action: 'unban', userId: '262' },
    })
    await expectNoPageErrors(tab)
  })

  test('shows the next events, the quota and endpoints that are off', async () => {
    const id = await e2e.createWorkspace('Busy')
    const startsAt = new Date(Date.now() + 3 * HOUR).toISOString()
    await e2e.requestAsOwner('POST', '/api/events', { title: 'Cadet training', scheduledFor: startsAt }, id)
    await e2e.requestAsOwner('POST', '/admin/api/quotas', { monthlyQuota: '5' }, id)
    const off = { endpoint: 'events', mode: 'off', message: 'Back on Sunday' }
    await e2e.requestAsOwner('POST', '/portal/api/endpoint-controls', off, id)
    const { page } = await openHome(e2e.owner.session, id, 'Busy')
    await page.getByText('1 endpoint is not fully on').waitFor()
    await page.getByText('Back on Sunday').waitFor()
    const event = page.getByRole('list', { name: 'Next events' }).getByRole('listitem')
    expect(await event.textContent()).toContain('in 3 hours')
    expect(await event.textContent()).toContain('Draft')
    await page.getByText(/of the quota of 5 requests/).waitFor()
    await e2e.requestAsOwner('POST', '/portal/api/endpoint-controls', { endpoint: 'events', mode: 'on' }, id)
    await page.getByText('1 endpoint is not fully on').waitFor({ state: 'detached' })
  })

  test('shows each user only what their roles permit', async () => {
    const events = await e2e.server.createMember(e2e.owner, 'host', ['events.view'])
    const { page } = await openHome(events)
    await page.getByText('Next events').waitFor()
    for (const hidden of [
      'Active sanctions',
      'Today’s activity',
      'Usage this month',
      'First steps',
      'Audit log',
    ]) {
      expect([hidden, await page.getByText(hidden, { exact: true }).count()]).toEqual([hidden, 0])
    }
    const noPermissionSession = await e2e.server.createMember(e2e.owner, 'newcomer', [])
    const { page: bare } = await openHome(noPermissionSession)
    await bare.getByText('Nothing to see here yet').waitFor()
  })

  test('shows user input as plain text', async () => {
    const id = await e2e.createWorkspace(XSS_PAYLOAD)
    const startsAt = new Date(Date.now() + HOUR).toISOString()
    await e2e.requestAsOwner(
      'POST',
      '/api/events',
      { title: XSS_PAYLOAD.slice(0, 100), scheduledFor: startsAt },
      id,
    )
    const control = { endpoint: 'departments', mode: 'off', message: XSS_PAYLOAD }
    await e2e.requestAsOwner('POST', '/portal/api/endpoint-controls', control, id)
    const tab = await openHome(e2e.owner.session, id, XSS_PAYLOAD)
    await tab.page.getByRole('list', { name: 'Next events' }).getByText(XSS_PAYLOAD).waitFor()
    await tab.page.getByText(`“${XSS_PAYLOAD}”`).waitFor()
    expect(await tab.page.evaluate('"planted" in globalThis')).toBe(false)
    await expectNoPageErrors(tab)
    expect(tab.pageErrors).toEqual([])
  })

  test('shows a server error, and continues on retry', async () => {
    const { page } = await e2e.openScreen('/account', { heading: 'Your account' })
    await page.route('**/portal/api/overview?*', (route) =>
      route.fulfill({
        status: 500,
        json: { error: 'Something broke.', code: 'internal_error', requestId: 'r-1' },
      }),
    )
    await page.goto(`${e2e.server.origin}/w/${e2e.owner.workspaceId}`)
    await page.getByText('Could not load this').waitFor()
    await page.getByText('Request r-1').waitFor()
    await page.unroute('**/portal/api/overview?*')
    await pressButton(page, 'Try again')
    await page.getByText('Active sanctions').waitFor()
  })
})
