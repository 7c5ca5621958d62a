import { describe, expect, test } from 'bun:test'
import { errorCodes } from '@reeve/core'
import type { Page } from 'playwright-core'
import { openE2eSessionPerTest, useSession } from '../support/e2e-session.ts'
import { PASSWORD } from '../support/instance.ts'
import { chooseOption } from '../support/moderation.ts'
import {
  chooseMenuItem,
  expectSettled,
  fillIn,
  pressButton,
  readField,
  waitForHeading,
  waitForRefetch,
} from '../support/page-actions.ts'

const e2e = useSession(openE2eSessionPerTest)

async function openAsOwner(path: string) {
  const server = await e2e.startServer()
  const { session } = await server.setUp()
  const tab = await e2e.openScreen(path, { session })
  return { server, session, tab, page: tab.page }
}

describe('a failed request', () => {
  test('shows a server error with a retry button and the request id', async () => {
    const { page } = await openAsOwner('/workspaces')
    await waitForHeading(page, 'Your workspaces')
    const code = 'internal_error'
    const error = errorCodes[code].defaultMessage
    await page.route('**/portal/api/sessions*', (route) =>
      route.fulfill({ status: 500, json: { error, code, requestId: 'request-77' } }),
    )
    await page.getByRole('link', { name: 'Your account' }).first().click()
    await page.getByText('Could not load this').waitFor()
    // Without what the server says about a change: nothing was to be changed.
    await page.getByText('Internal error. Try again in a moment.').waitFor()
    await page.getByText('request-77').waitFor()
    await page.unroute('**/portal/api/sessions*')
    await pressButton(page, 'Try again')
    await page.getByText('This device', { exact: true }).waitFor()
  })

  test('shows that the browser is offline, and can be repeated once online', async () => {
    const { tab, page } = await openAsOwner('/account')
    await page.getByText('This device', { exact: true }).waitFor()
    await tab.context.setOffline(true)
    await fillIn(page, { 'Current password': PASSWORD, 'New password': 'another long enough secret' })
    await pressButton(page, 'Change password')
    await page
      .locator('#password')
      .getByRole('alert')
      .getByText('You are offline. Try again once you are connected.')
      .waitFor()
    await expectSettled(() => readField(page, 'New password'), 'another long enough secret')
    await tab.context.setOffline(false)
    await pressButton(page, 'Change password')
    await page.getByText('Password changed.').waitFor()
  })

  test.each(['offline', 'unreachable'])(
    'for the code of a screen is said on the screen while the server is %s, and can be repeated',
    async (state) => {
      const { tab, page } = await openAsOwner('/workspaces')
      await waitForHeading(page, 'Your workspaces')
      if (state === 'offline') await tab.context.setOffline(true)
      else await page.route('**/*', (route) => route.abort())
      await page.getByRole('link', { name: 'Your account' }).first().click()
      await page
        .getByText(state === 'offline' ? 'You are offline. Try again once' : 'Reeve cannot be reached.')
        .waitFor()
      const retried = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/healthz'))
      await pressButton(page, 'Try again')
      await retried
      await page.getByText('This page could not be loaded').waitFor()
      await tab.context.setOffline(false)
      await page.unroute('**/*')
      await pressButton(page, 'Try again')
      await waitForHeading(page, 'Your account')
    },
  )

  test('for the code of a screen that a newer version has replaced loads the page again', async () => {
    const { page } = await openAsOwner('/workspaces')
    await waitForHeading(page, 'Your workspaces')
    await page.route('**/assets/account-*', (route) => route.fulfill({ status: 404 }))
    const reloaded = page.waitForEvent('load')
    await page.getByRole('link', { name: 'Your account' }).first().click()
    await reloaded
    await page.unroute('**/assets/account-*')
    await page.reload()
    await waitForHeading(page, 'Your account')
  })

  test('for the signed-in user, while the page loads, can be retried', async () => {
    const { page } = await openAsOwner('/account')
    await waitForHeading(page, 'Your account')
    await page.route('**/portal/api/me', (route) => route.abort())
    await page.reload()
    await page.getByText('Reeve cannot be reached. Try again in a moment.').waitFor()
    await page.unroute('**/portal/api/me')
    await pressButton(page, 'Try again')
    await waitForHeading(page, 'Your account')
  })
})

test('a write whose response was lost has one effect, however often it is retried', async () => {
  const { server, session, page } = await openAsOwner('/workspaces/new')
  await fillIn(page, { 'Group name': 'Owls' })
  const keys: string[] = []
  let isLost = true
  await page.route('**/api/workspaces', async (route) => {
    keys.push(route.request().headers()['idempotency-key'] ?? '')
    if (!isLost) return route.continue()
    // The request reaches the server, but its response is lost.
    isLost = false
    await route.fetch()
    await route.abort()
  })
  await pressButton(page, 'Create workspace')
  await page.getByText('Reeve cannot be reached. Try again in a moment.').waitFor()
  await pressButton(page, 'Create workspace')
  await page.getByRole('button', { name: /^Owls/ }).waitFor()
  expect(keys).toHaveLength(2)
  expect(keys[0]).not.toBe('')
  expect(keys[1]).toBe(keys[0] ?? '')
  const { body } = await server.requestOk('GET', '/portal/api/me', { session })
  const names = body.workspaces.map(({ groupName }: { groupName: string }) => groupName)
  expect(names.filter((name: string) => name === 'Owls')).toHaveLength(1)
})

describe('a change whose response was lost', () => {
  /** Opens a screen of the workspace of the owner. */
  async function openWorkspaceScreen(path: string, heading: string) {
    const server = await e2e.startServer()
    const { session, workspaceId } = await server.setUp()
    const { page } = await e2e.openScreen(`/w/${workspaceId}${path}`, { session, heading })
    const request = async (method: string, url: string, body: object) =>
      (await server.requestOk(method, url, { session, body: { workspaceId, ...body } })).body
    const read = async (url: string) =>
      (await server.requestOk('GET', `${url}?${new URLSearchParams({ workspaceId })}`, { session })).body
    return { page, request, read }
  }
  /** Loses the response to the next write to a URL, which the server receives. */
  async function loseResponse(page: Page, url: string) {
    let isLost = true
    await page.route(url, async (route) => {
      if (!isLost || route.request().method() === 'GET') return route.continue()
      isLost = false
      await route.fetch()
      await route.abort()
    })
  }
  const expectLost = (page: Page) =>
    page.getByText('Reeve cannot be reached. Try again in a moment.').waitFor()

  test.each(['the same person', 'somebody else'])('is done again after %s has undone it', async (who) => {
    const url = '/portal/api/endpoint-controls'
    const { page, request, read } = await openWorkspaceScreen(
      '/configuration/api/controls',
      'Endpoint controls',
    )
    const turn = async (mode: 'On' | 'Off') => {
      await pressButton(page, 'Change Events')
      await page.getByLabel(mode, { exact: true }).check()
      await pressButton(page, `Turn Events ${mode.toLowerCase()}`)
    }
    await loseResponse(page, `**${url}`)
    await turn('Off')
    await expectLost(page)
    await pressButton(page, 'Cancel')
    if (who === 'somebody else')
      await waitForRefetch(page, url, () => request('POST', url, { endpoint: 'events', mode: 'on' }))
    else {
      await turn('On')
      await page.getByText('Events is on.').waitFor()
    }
    await turn('Off')
    await page.getByText('Events is off.').waitFor()
    const { controls } = await read(url)
    expect(controls).toContainEqual(expect.objectContaining({ endpoint: 'events', mode: 'off' }))
  })

  test('is done again after somebody else has changed its target', async () => {
    const url = '/portal/api/roles'
    const { page, request, read } = await openWorkspaceScreen('/roles', 'Roles')
    const { role } = await request('POST', url, { name: 'Helper', rank: '20', permissions: '[]' })
    const limitBans = async () => {
      await chooseMenuItem(page, 'Actions for Helper', 'Limits')
      await page.getByLabel('Longest ban').selectOption('1 day')
      await pressButton(page, 'Save limits')
    }
    await loseResponse(page, `**${url}`)
    await limitBans()
    await expectLost(page)
    await pressButton(page, 'Cancel')
    await page.getByText('Limits: bans up to 1 day').waitFor()
    await request('PATCH', url, { id: role.id, longestBanSeconds: '3600' })
    await page.getByText('Limits: bans up to 1 hour').waitFor()
    await limitBans()
    await page.getByText('Saved the limits of the role “Helper”.').waitFor()
    const { roles } = await read(url)
    expect(roles).toContainEqual(expect.objectContaining({ id: role.id, longestBanSeconds: '86400' }))
  })

  test('is not done twice, although the page shows its effect already', async () => {
    const server = await e2e.startServer()
    const { session, workspaceId } = await server.setUp()
    const act = async (body: object) =>
      (await server.requestOk('POST', '/api/moderation', { session, body: { workspaceId, ...body } })).body
        .record
    const ban = await act({ action: 'ban', userId: '261', reason: 'Exploiting', durationSeconds: '86400' })
    const path = `/w/${workspaceId}/moderation/cases/${ban.id}`
    const { page } = await e2e.openScreen(path, { session, heading: 'Case 1: ban' })
    await pressButton(page, 'Change expiry')
    const dialog = page.getByRole('dialog')
    await chooseOption(page, '7 days longer')
    await loseResponse(page, '**/api/moderation')
    await waitForRefetch(page, '/api/moderation', () =>
      dialog.getByRole('button', { name: 'Change expiry' }).click(),
    )
    await expectLost(page)
    await dialog.getByRole('button', { name: 'Change expiry' }).click()
    await dialog.waitFor({ state: 'detached' })
    const query = new URLSearchParams({ workspaceId, id: ban.id })
    const { record } = (await server.requestOk('GET', `/api/moderation?${query}`, { session })).body
    expect(Date.parse(record.expiresAt) - Date.parse(ban.expiresAt)).toBe(7 * 86_400_000)
  })

  test('is not done twice, although another record of the player was changed meanwhile', async () => {
    const { page, request, read } = await openWorkspaceScreen('/moderation/players/261', '261')
    await request('POST', '/api/moderation', { action: 'ban', userId: '261', reason: 'Exploiting' })
    const warn = async () => {
      await pressButton(page, 'Warn')
      await fillIn(page, { Reason: 'Spam' })
      await pressButton(page, 'Warn 261')
    }
    const dialog = page.getByRole('dialog')
    await loseResponse(page, '**/api/moderation')
    await warn()
    await expectLost(page)
    await pressButton(page, 'Cancel')
    await dialog.waitFor({ state: 'detached' })
    await pressButton(page, 'Lift the ban')
    await dialog.getByRole('button', { name: 'Lift the ban' }).click()
    await dialog.waitFor({ state: 'detached' })
    await warn()
    await dialog.waitFor({ state: 'detached' })
    const { records } = await read('/api/moderation')
    expect(records).toMatchObject([{ action: 'warn' }, { action: 'ban', status: 'revoked' }])
    expect(records).toHaveLength(2)
  })

  test('is not done twice, although something else was added to the record, or the server was still busy with it', async () => {
    const { page, request, read } = await openWorkspaceScreen('/moderation/records', 'All cases')
    const { record } = await request('POST', '/api/moderation', {
      action: 'note',
      userId: '261',
      reason: 'Seen',
    })
    await page.goto(page.url().replace('/records', `/cases/${record.id}`))
    await fillIn(page, { 'New comment': 'Asked for a mentor' })
    await loseResponse(page, '**/api/moderation')
    await pressButton(page, 'Add comment')
    await expectLost(page)
    await fillIn(page, { 'New evidence': 'https://example.com/clip' })
    await pressButton(page, 'Add evidence')
    await page.getByRole('link', { name: 'https://example.com/clip' }).waitFor()
    await page.unroute('**/api/moderation')
    let isBusy = true
    await page.route('**/api/moderation', async (route) => {
      if (!isBusy || route.request().method() === 'GET') return route.continue()
      isBusy = false
      await route.fulfill({
        status: 409,
        headers: { 'retry-after': '1' },
        json: { error: 'Still in progress.', code: 'conflict', requestId: 'x' },
      })
    })
    await pressButton(page, 'Add comment')
    await page.getByText('Reeve still works on your first attempt.').waitFor()
    await pressButton(page, 'Add comment')
    await expectSettled(() => readField(page, 'New comment'), '')
    const { records } = await read('/api/moderation')
    expect(records).toMatchObject([{ commentCount: '1', evidenceCount: '1' }])
  })
})
