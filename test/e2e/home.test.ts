import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { GROUP } from '../support/place.ts'
import { expectSoon, press } from '../support/portal.ts'
import { openStay, PLANTED, type Stay } from '../support/stay.ts'
import { expectCalm } from '../support/visit.ts'

const HOUR = 3_600_000

let stay: Stay
beforeAll(async () => {
  stay = await openStay()
}, 60_000)
afterEach(() => stay.leave())
afterAll(() => stay?.close())

const home = (session = stay.owner.session, workspaceId = stay.owner.workspaceId, name = GROUP) =>
  stay.visit(session, `/w/${workspaceId}`, name)
const ban = (userId: string, workspaceId?: string) =>
  stay.asOwner('POST', '/api/moderation', { action: 'ban', userId, reason: 'Exploiting' }, workspaceId)

describe('the first steps', () => {
  test('tick themselves off as they are done elsewhere, and are gone once all are', async () => {
    const id = await stay.workspace('Step by step')
    const { page } = await home(stay.owner.session, id, 'Step by step')
    await page.getByText('0 of 6 done.').waitFor()
    await page.getByRole('link', { name: 'Set up a department' }).waitFor()
    const make = (path: string, body: object) => stay.asOwner('POST', path, body, id)
    await make('/api/departments', { name: 'Builders' })
    await page.getByText('1 of 6 done.').waitFor()
    expect(await page.getByRole('link', { name: 'Set up a department' }).count()).toBe(0)
    await make('/portal/api/roles', { name: 'Moderator', rank: '10', permissions: '' })
    await make('/portal/api/api-keys', { name: 'Game server', permissions: '' })
    await make('/api/events', { title: 'Opening', scheduledFor: new Date().toISOString() })
    await ban('1', id)
    await page.getByText('5 of 6 done.').waitFor()
    await stay.place.account('second')
    await make('/portal/api/members', { username: 'second' })
    await page.getByText('First steps').waitFor({ state: 'detached' })
  })

  test('are put away for good by whoever has seen enough of them', async () => {
    const id = await stay.workspace('Enough')
    const { page } = await home(stay.owner.session, id, 'Enough')
    await press(page, 'Do not show the first steps any more')
    await page.getByText('First steps').waitFor({ state: 'detached' })
    await page.reload()
    await page.getByText('In force now').waitFor()
    expect(await page.getByText('First steps').count()).toBe(0)
  })

  test('lead to where each of them is done', async () => {
    const id = await stay.workspace('Leading')
    const { page } = await home(stay.owner.session, id, 'Leading')
    await page.getByRole('link', { name: /^Make a role/ }).click()
    await page.waitForURL(`**/w/${id}/roles`)
  })
})

describe('how things stand', () => {
  test('bans in force and who did what today are there at once, and follow what others do', async () => {
    const { session, workspaceId } = stay.owner
    const other = await stay.place.member(stay.owner, 'night-owl', ['moderation.view', 'moderation.ban'])
    await ban('261')
    const opened = await home()
    const { page } = opened
    const bans = page.getByRole('link', { name: /^\d+ bans?$/ })
    await expectSoon(() => bans.textContent(), '1ban')
    await page.getByRole('list', { name: 'Who did it' }).getByText('robin').waitFor()
    await stay.place.must('POST', '/api/moderation', {
      session: other,
      body: { workspaceId, action: 'ban', userId: '262', reason: 'Spam' },
    })
    await page.getByRole('link', { name: '2 bans' }).waitFor()
    await ban('263')
    await page.getByRole('link', { name: '3 bans' }).waitFor()
    await page.getByRole('list', { name: 'Who did it' }).getByText('night-owl').waitFor()
    await bans.click()
    await page.waitForURL(`**/w/${workspaceId}/moderation/bans`)
    await stay.place.must('POST', '/api/moderation', {
      session,
      body: { workspaceId, action: 'unban', userId: '262' },
    })
    await expectCalm(opened)
  })

  test('the next events, the quota and the endpoints that are switched off are told', async () => {
    const id = await stay.workspace('Busy')
    const soon = new Date(Date.now() + 3 * HOUR).toISOString()
    await stay.asOwner('POST', '/api/events', { title: 'Cadet training', scheduledFor: soon }, id)
    await stay.asOwner('POST', '/admin/api/quotas', { monthlyQuota: '5' }, id)
    const off = { endpoint: 'events', mode: 'off', message: 'Back on Sunday' }
    await stay.asOwner('POST', '/portal/api/endpoint-controls', off, id)
    const { page } = await home(stay.owner.session, id, 'Busy')
    await page.getByText('1 endpoint is not fully on').waitFor()
    await page.getByText('Back on Sunday').waitFor()
    const event = page.getByRole('list', { name: 'Next events' }).getByRole('listitem')
    expect(await event.textContent()).toContain('in 3 hours')
    expect(await event.textContent()).toContain('Draft')
    await page.getByText(/of 5 calls that the quota allows/).waitFor()
    await stay.asOwner('POST', '/portal/api/endpoint-controls', { endpoint: 'events', mode: 'on' }, id)
    await page.getByText('1 endpoint is not fully on').waitFor({ state: 'detached' })
  })

  test('shows each reader only what their roles show', async () => {
    const events = await stay.place.member(stay.owner, 'host', ['events.view'])
    const { page } = await home(events)
    await page.getByText('Next events').waitFor()
    for (const hidden of ['In force now', 'Done today', 'Usage this month', 'First steps', 'Audit log']) {
      expect([hidden, await page.getByText(hidden, { exact: true }).count()]).toEqual([hidden, 0])
    }
    const nothing = await stay.place.member(stay.owner, 'newcomer', [])
    const { page: bare } = await home(nothing)
    await bare.getByText('Nothing here is for you yet').waitFor()
  })

  test('what people wrote is shown as it is, and runs nothing', async () => {
    const id = await stay.workspace(PLANTED)
    const soon = new Date(Date.now() + HOUR).toISOString()
    await stay.asOwner('POST', '/api/events', { title: PLANTED.slice(0, 100), scheduledFor: soon }, id)
    const control = { endpoint: 'departments', mode: 'off', message: PLANTED }
    await stay.asOwner('POST', '/portal/api/endpoint-controls', control, id)
    const opened = await home(stay.owner.session, id, PLANTED)
    await opened.page.getByRole('list', { name: 'Next events' }).getByText(PLANTED).waitFor()
    await opened.page.getByText(`“${PLANTED}”`).waitFor()
    expect(await opened.page.evaluate('"planted" in globalThis')).toBe(false)
    await expectCalm(opened)
    expect(opened.complaints).toEqual([])
  })

  test('where the server fails it says so, and goes on once it answers', async () => {
    const { page } = await stay.visit(stay.owner.session, '/account', 'Your account')
    await page.route('**/portal/api/overview?*', (route) =>
      route.fulfill({
        status: 500,
        json: { error: 'Something broke.', code: 'internal_error', requestId: 'r-1' },
      }),
    )
    await page.goto(`${stay.place.origin}/w/${stay.owner.workspaceId}`)
    await page.getByText('This could not be read').waitFor()
    await page.getByText('Request r-1').waitFor()
    await page.unroute('**/portal/api/overview?*')
    await press(page, 'Try again')
    await page.getByText('In force now').waitFor()
  })
})
