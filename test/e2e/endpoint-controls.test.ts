import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import type { Permission } from '@reeve/core'
import type { Page } from 'playwright-core'
import { openE2eWorkspaces, reloadAndFollow } from '../support/fresh-workspace.ts'
import {
  expectEventually,
  failRequests,
  fillIn,
  pressButton,
  readField,
  waitUntil,
} from '../support/page-actions.ts'
import { expectNoPageErrors } from '../support/page-errors.ts'

let e2e: Awaited<ReturnType<typeof openE2eWorkspaces>>
beforeAll(async () => {
  e2e = await openE2eWorkspaces()
}, 60_000)
afterEach(() => e2e.closeTabs())
afterAll(() => e2e?.close())

const PATH = '/portal/api/endpoint-controls'
const SCRIPT = '<img src=x onerror="document.title=1"><script>document.title=1</script>'
const SCREEN = ['/configuration/api/controls', 'Endpoint controls'] as const

async function openControls(permissions?: readonly Permission[]) {
  const workspace = await e2e.createWorkspace(permissions)
  const tab = await workspace.openScreen(...SCREEN)
  return { ...workspace, tab, page: tab.page }
}

const row = (page: Page, title: string) => page.getByRole('listitem').filter({ hasText: title })

async function openSwitch(page: Page, title: string) {
  await pressButton(page, `Switch ${title}`)
  const dialog = page.getByRole('dialog', { name: `Switch ${title}` })
  await dialog.waitFor()
  return dialog
}

/** The answer that callers were said to get, without what differs each time. */
async function readPreviewedResponse(page: Page): Promise<object> {
  const { requestId: _, ...response } = JSON.parse(
    (await page.getByLabel('The answer', { exact: true }).textContent()) ?? '{}',
  )
  return response
}

describe('switching', () => {
  test('an endpoint off says beforehand, word by word, what callers then get; and on again', async () => {
    const { tab, page, requestAsOwner, requestWithKey } = await openControls()
    const { secret } = await requestAsOwner('POST', '/portal/api/api-keys', {
      name: 'Main server',
      permissions: 'moderation.view,moderation.ban',
    })
    const check = () => requestWithKey(secret, 'moderation?banList=true&userId=261')
    expect((await check()).status).toBe(200)
    const dialog = await openSwitch(page, 'Moderation')
    await expectEventually(
      () => dialog.getByRole('button', { name: 'Nothing is changed' }).isDisabled(),
      true,
    )
    await dialog.getByLabel('Off').check()
    expect(await readPreviewedResponse(page)).toMatchObject({
      error: 'This endpoint is disabled in this workspace.',
    })
    await fillIn(page, { Message: '  Closed until 18:00 UTC.  ' })
    await dialog.getByText('Game servers no longer learn who is banned').waitFor()
    const response = await readPreviewedResponse(page)
    expect((await check()).status).toBe(200)
    await pressButton(page, 'Switch Moderation off')
    await page.getByText('Moderation is off.').waitFor()
    const rejected = await check()
    const { requestId: _, ...body } = rejected.body as { requestId: string }
    expect([rejected.status, body]).toEqual([403, response])
    await row(page, '/api/moderation').getByText('Off', { exact: true }).waitFor()
    await row(page, '/api/moderation').getByText('“Closed until 18:00 UTC.”').waitFor()
    await row(page, '/api/moderation').getByText('by robin').waitFor()
    await openSwitch(page, 'Moderation')
    await expectEventually(() => readField(page, 'Message'), 'Closed until 18:00 UTC.')
    await page.getByLabel('On', { exact: true }).check()
    await pressButton(page, 'Switch Moderation on')
    await page.getByText('Moderation is on.').waitFor()
    expect((await check()).status).toBe(200)
    await expectNoPageErrors(tab)
  })

  test('an endpoint to read-only refuses writes as it was said, and goes on answering reads', async () => {
    const { page, requestAsOwner, requestWithKey } = await openControls()
    const { secret } = await requestAsOwner('POST', '/portal/api/api-keys', {
      name: 'Website',
      permissions: 'departments.view,departments.manage',
    })
    await openSwitch(page, 'Departments')
    await page.getByLabel('Read-only').check()
    const response = await readPreviewedResponse(page)
    await pressButton(page, 'Make Departments read-only')
    await row(page, '/api/departments').getByText('Read-only').waitFor()
    expect((await requestWithKey(secret, 'departments')).status).toBe(200)
    const rejected = await requestWithKey(secret, 'departments', { name: 'Rangers' })
    const { requestId: _, ...body } = rejected.body as { requestId: string }
    expect([rejected.status, body]).toEqual([403, response])
  })

  test('the two that nobody could come back from is not offered, and it is said why', async () => {
    const { workspaceId, page } = await openControls()
    for (const endpoint of ['_workspace-permissions', 'endpoint-controls']) {
      await row(page, `/api/${endpoint}`).getByText('Always on: with it off, no').waitFor()
      expect(await row(page, `/api/${endpoint}`).getByRole('button').count()).toBe(0)
      const body = { workspaceId, endpoint, mode: 'off' }
      expect((await e2e.server.request('POST', PATH, { session: e2e.owner, body })).status).toBe(400)
    }
    await expectEventually(() => page.getByRole('button', { name: /^Switch / }).count(), 4)
  })

  test('that finds no answer is told in the dialog, and what was typed stays', async () => {
    const { tab, page, readAsOwner } = await openControls()
    await openSwitch(page, 'Events')
    await page.getByLabel('Off').check()
    await fillIn(page, { Message: 'Back soon.' })
    await tab.context.setOffline(true)
    await pressButton(page, 'Switch Events off')
    await page.getByText('You are offline. Try again once you are connected.').waitFor()
    await tab.context.setOffline(false)
    await failRequests(page, `**${PATH}`)
    await pressButton(page, 'Switch Events off')
    await page.getByText('This failed here.').waitFor()
    await expectEventually(() => readField(page, 'Message'), 'Back soon.')
    await page.unroute(`**${PATH}`)
    await pressButton(page, 'Switch Events off')
    await page.getByText('Events is off.').waitFor()
    const { controls } = await readAsOwner(PATH)
    expect(controls.find(({ endpoint }: { endpoint: string }) => endpoint === 'events')).toMatchObject({
      mode: 'off',
      message: 'Back soon.',
    })
  })
})

test('a switch of somebody else is seen at once; a script in its message is text, in the dialog too', async () => {
  const { tab, page, requestAsOwner } = await openControls()
  await reloadAndFollow(tab)
  await row(page, '/api/events').waitFor()
  await requestAsOwner('POST', PATH, { endpoint: 'events', mode: 'read_only', message: SCRIPT })
  await row(page, '/api/events').getByText(`“${SCRIPT}”`).waitFor()
  await openSwitch(page, 'Events')
  await expectEventually(() => readField(page, 'Message'), SCRIPT)
  expect(await readPreviewedResponse(page)).toMatchObject({ error: SCRIPT, reason: 'endpoint_read_only' })
  expect(await page.title()).toBe('Endpoint controls · Night Shift · Reeve')
  await expectNoPageErrors(tab)
})

describe('who may', () => {
  test('whoever may look finds no switch, and whoever may not look finds nothing', async () => {
    const viewer = await openControls(['endpoint_controls.view'])
    const { page, session, workspaceId } = viewer
    await row(page, '/api/moderation').getByText('On', { exact: true }).waitFor()
    await page.getByText('Your roles let you see the switches, not use them.').waitFor()
    expect(await page.getByRole('button', { name: /^Switch / }).count()).toBe(0)
    const body = { workspaceId, endpoint: 'events', mode: 'off' }
    expect((await e2e.server.request('POST', PATH, { session, body })).status).toBe(403)
    const stranger = await openControls(['usage.view'])
    await stranger.page.getByText('You don’t have access').waitFor()
    expect(await stranger.page.getByRole('listitem').filter({ hasText: '/api/' }).count()).toBe(0)
    const controlsPath = `${PATH}?workspaceId=${stranger.workspaceId}`
    expect((await e2e.server.request('GET', controlsPath, { session: stranger.session })).status).toBe(403)
  })

  test('in an archived workspace the switches are shown, and stay as they are', async () => {
    const { tab, page, workspaceId } = await openControls()
    await reloadAndFollow(tab)
    await page.getByRole('button', { name: 'Switch Events' }).waitFor()
    const body = { id: workspaceId, action: 'archive' }
    await e2e.server.requestOk('POST', '/api/workspaces', { session: e2e.owner, body })
    await page.getByText('This workspace is archived').waitFor()
    await page.getByRole('button', { name: 'Switch Events' }).waitFor({ state: 'detached' })
    await row(page, '/api/events').waitFor()
  })
})

test('what cannot be read is told, and read when there is an answer again', async () => {
  const { page } = await openControls()
  await row(page, '/api/events').waitFor()
  await failRequests(page, `**${PATH}?*`)
  await page.reload()
  await page.getByText('This failed here.').waitFor()
  await page.unroute(`**${PATH}?*`)
  await pressButton(page, 'Try again')
  await row(page, '/api/events').waitFor()
})

test('the keyboard alone switches an endpoint', async () => {
  const { page } = await openControls()
  await page.getByRole('button', { name: 'Switch Events' }).focus()
  await page.keyboard.press('Enter')
  await waitUntil(page, 'document.activeElement.matches("[role=dialog] [type=radio]")')
  await page.keyboard.press('ArrowDown')
  await page.getByLabel('Message').waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.type('Back at six.')
  await page.getByText('"error": "Back at six."').waitFor()
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Enter')
  await page.getByText('Events is read-only.').waitFor()
  await row(page, '/api/events').getByText('“Back at six.”').waitFor()
})
