import { describe, expect, test } from 'bun:test'
import { openE2eSession, useSession } from '../support/e2e-session.ts'
import { expectSettled, PHONE, pressButton, XSS_PAYLOAD } from '../support/page-actions.ts'
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
    await e2e.server.addMember({ ...e2e.owner, workspaceId: id }, 'second')
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
    await page.getByRole('link', { name: '2 bans', exact: true }).waitFor()
    await banPlayer('263')
    await page.getByRole('link', { name: '3 bans', exact: true }).waitFor()
    await page.getByRole('list', { name: 'Most active' }).getByText('night-owl').waitFor()
    await bans.click()
    await page.waitForURL(`**/w/${workspaceId}/moderation/bans`)
    await e2e.server.requestOk('POST', '/api/moderation', {
      session,
      body: { workspaceId, action: 'unban', userId: '262' },
    })
    await expectNoPageErrors(tab)
  })

  test('links every figure to the list of what it counts', async () => {
    const id = await e2e.createWorkspace('Figures')
    for (const userId of ['1', '2', '3']) await banPlayer(userId, id)
    await e2e.requestAsOwner('POST', '/api/moderation', { action: 'unban', userId: '3' }, id)
    await e2e.requestAsOwner('POST', '/api/moderation', { action: 'mute', userId: '1', reason: 'Spam' }, id)
    await e2e.requestAsOwner('POST', '/api/departments', { name: 'Not moderation' }, id)
    const { page } = await openHome(e2e.owner.session, id, 'Figures')
    const readLink = async (name: string | RegExp) => {
      const link = page.getByRole('link', { name, exact: true })
      return new URL((await link.getAttribute('href')) ?? '', page.url())
    }
    const date = await page.evaluate<string>('new Date().toLocaleDateString("en-CA")')
    expect((await readLink('2 bans')).pathname).toBe(`/w/${id}/moderation/bans`)
    expect((await readLink('1 mute')).pathname).toBe(`/w/${id}/moderation/mutes`)
    expect((await readLink(/request.* this month/)).pathname).toBe(`/w/${id}/configuration/api/usage`)
    const actions = page.getByRole('list', { name: 'Actions today' })
    const bans = new URL(
      (await actions.getByRole('link', { name: '3 bans today' }).getAttribute('href')) ?? '',
      page.url(),
    )
    expect([bans.pathname, ...bans.searchParams.values()]).toEqual([
      `/w/${id}/moderation/records`,
      'ban',
      'false',
      date,
      date,
    ])
    const countEntries = async () => {
      await page.getByRole('list', { name: 'Changes' }).waitFor()
      return page.getByRole('list', { name: 'Changes' }).getByRole('article').count()
    }
    for (const [link, params, count] of [
      [page.getByRole('link', { name: '5 actions', exact: true }).first(), { what: 'moderation.*' }, 5],
      [actions.getByRole('link', { name: '1 ban lifted' }), { what: 'moderation.unban' }, 1],
      [page.getByRole('list', { name: 'Most active' }).getByRole('link'), { what: 'moderation.*' }, 5],
    ] as const) {
      await link.click()
      await page.waitForURL(`**/w/${id}/audit?**`)
      expect(Object.fromEntries(new URL(page.url()).searchParams)).toMatchObject({
        ...params,
        from: date,
        to: date,
      })
      await expectSettled(countEntries, count)
      await page.goBack()
    }
  })

  test('links to no list that the reader may not open', async () => {
    const id = await e2e.createWorkspace('Half open')
    await banPlayer('1', id)
    await e2e.requestAsOwner('POST', '/api/moderation', { action: 'unban', userId: '1' }, id)
    const session = await e2e.server.createMember({ workspaceId: id, session: e2e.owner.session }, 'reader', [
      'moderation.view',
    ])
    const { page } = await openHome(session, id, 'Half open')
    const actions = page.getByRole('list', { name: 'Actions today' })
    await actions.getByText('1 ban lifted').waitFor()
    expect(await actions.getByRole('link').allTextContents()).toEqual(['1 ban today'])
    expect(await page.getByRole('list', { name: 'Most active' }).getByRole('link').count()).toBe(0)
  })

  test('charts the bans and warnings of the last 30 days, each day linked to its list', async () => {
    const id = await e2e.createWorkspace('Charts')
    for (const userId of ['1', '2']) await banPlayer(userId, id)
    await e2e.requestAsOwner('POST', '/api/moderation', { action: 'warn', userId: '1', reason: 'Spam' }, id)
    // Far from the time zone of the server.
    const { page } = await e2e.openScreen(`/w/${id}`, {
      heading: 'Charts',
      browser: { timezoneId: 'Pacific/Niue' },
    })
    const bans = page.getByRole('list', { name: 'Bans per day' })
    await bans.waitFor()
    expect(await bans.getByRole('link').count()).toBe(30)
    const today = bans.getByRole('link', { name: 'Today: 2 bans' })
    const { searchParams } = new URL((await today.getAttribute('href')) ?? '', page.url())
    const day = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Pacific/Niue' }).format()
    expect(Object.fromEntries(searchParams)).toEqual({ action: 'ban', imported: 'false', from: day, to: day })
    await page
      .getByRole('list', { name: 'Warnings per day' })
      .getByRole('link', { name: 'Today: 1 warning' })
      .waitFor()

    const yesterday = bans.getByRole('link').nth(28)
    await yesterday.hover()
    await page
      .getByRole('link', { name: /^\w{3}, .*: 0 bans$/ })
      .nth(28)
      .waitFor()
    await today.focus()
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Home')
    await page.keyboard.press('ArrowRight')
    const focused = await page.evaluate<string>('document.activeElement.getAttribute("href")')
    expect(focused).toBe((await bans.getByRole('link').nth(1).getAttribute('href')) ?? '')
    expect(await bans.locator('a[tabindex="0"]').count()).toBe(1)
    await page.getByText('Show as a table').click()
    const table = page.getByRole('table', { name: 'Bans and warnings per day' })
    expect(await table.getByRole('row').nth(1).textContent()).toBe('Today21')
    await table.getByRole('link', { name: 'Today: 2 bans' }).click()
    await page.waitForURL(`**/w/${id}/moderation/records?action=ban**`)
    for (const label of ['From', 'To']) {
      const field = page.getByLabel(label, { exact: true })
      await field.waitFor()
      expect(await field.inputValue()).toBe(day)
    }
  })

  test('shows the value of a day on the first tap, and its list on the second', async () => {
    const id = await e2e.createWorkspace('Taps')
    await banPlayer('1', id)
    const { page } = await e2e.openScreen(`/w/${id}`, { heading: 'Taps', browser: PHONE })
    const bans = page.getByRole('list', { name: 'Bans per day' })
    const day = bans.getByRole('link').nth(10)
    const name = (await day.getAttribute('aria-label')) ?? ''
    await day.tap()
    await page.getByText(name, { exact: true }).waitFor()
    expect(new URL(page.url()).pathname).toBe(`/w/${id}`)
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360)
    await day.tap()
    await page.waitForURL(`**/w/${id}/moderation/records?action=ban**`)
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

  test('is shown to a browser in a time zone that the server does not know', async () => {
    const { page } = await e2e.openScreen('/account', { heading: 'Your account' })
    await page.addInitScript({
      content: `const { resolvedOptions } = Intl.DateTimeFormat.prototype
        Intl.DateTimeFormat.prototype.resolvedOptions = function () {
          return { ...resolvedOptions.call(this), timeZone: 'Etc/Unknown' }
        }`,
    })
    await page.goto(`${e2e.server.origin}/w/${e2e.owner.workspaceId}`)
    await page.getByText('Active sanctions').waitFor()
    await page.getByRole('list', { name: 'Bans per day' }).waitFor()
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
