import { describe, expect, test } from 'bun:test'
import type { Permission } from '@reeve/core'
import type { Page } from 'playwright-core'
import { openE2eSession, useSession } from '../support/e2e-session.ts'
import {
  expectSettled,
  failRequests,
  fillIn,
  pressButton,
  readField,
  reloadAndFollow,
  waitUntil,
} from '../support/page-actions.ts'
import { expectNoPageErrors } from '../support/page-errors.ts'

const e2e = useSession(openE2eSession)

const PATH = '/portal/api/endpoint-controls'
const SCRIPT = '<img src=x onerror="document.title=1"><script>document.title=1</script>'

async function openControls(permissions?: readonly Permission[]) {
  const workspace = await e2e.createWorkspaceFixture(permissions)
  const tab = await workspace.openScreen('/configuration/api/controls', { heading: 'Endpoint controls' })
  return { ...workspace, tab, page: tab.page }
}

const row = (page: Page, title: string) => page.getByRole('listitem').filter({ hasText: title })

async function openControl(page: Page, title: string) {
  await pressButton(page, `Change ${title}`)
  const dialog = page.getByRole('dialog', { name: `Change ${title}` })
  await dialog.waitFor()
  return dialog
}

/** The previewed response, without the parts that differ each time. */
async function readPreviewedResponse(page: Page): Promise<object> {
  const { requestId: _, ...response } = JSON.parse(
    (await page.getByLabel('Response', { exact: true }).textContent()) ?? '{}',
  )
  return response
}

describe('changing the mode of', () => {
  test('an endpoint to off previews the exact response first; and back to on', async () => {
    const { tab, page, requestAsOwner, requestWithKey } = await openControls()
    const { secret } = await requestAsOwner('POST', '/portal/api/api-keys', {
      name: 'Main server',
      permissions: 'moderation.view,moderation.ban',
    })
    const check = () => requestWithKey(secret, 'moderation?banList=true&userId=261')
    expect((await check()).status).toBe(200)
    const dialog = await openControl(page, 'Moderation')
    await expectSettled(() => dialog.getByRole('button', { name: 'No changes' }).isDisabled(), true)
    await dialog.getByLabel('Off').check()
    expect(await readPreviewedResponse(page)).toMatchObject({
      error: 'This endpoint is disabled in this workspace.',
    })
    await fillIn(page, { Message: '  Closed until 18:00 UTC.  ' })
    await dialog.getByText('Game servers can no longer check bans').waitFor()
    const response = await readPreviewedResponse(page)
    expect((await check()).status).toBe(200)
    const readable = page.getByRole('list', { name: 'Still readable' })
    await readable.getByText('The player search, with who is banned').waitFor()
    await pressButton(page, 'Turn Moderation off')
    await page.getByText('Moderation is off.').waitFor()
    const rejected = await check()
    const { requestId: _, ...body } = rejected.body as { requestId: string }
    expect([rejected.status, body]).toEqual([403, response])
    await row(page, '/api/moderation').getByText('Off', { exact: true }).waitFor()
    await row(page, '/api/moderation').getByText('“Closed until 18:00 UTC.”').waitFor()
    await row(page, '/api/moderation').getByText('by robin').waitFor()
    await openControl(page, 'Moderation')
    await expectSettled(() => readField(page, 'Message'), 'Closed until 18:00 UTC.')
    await page.getByLabel('On', { exact: true }).check()
    await pressButton(page, 'Turn Moderation on')
    await page.getByText('Moderation is on.').waitFor()
    expect((await check()).status).toBe(200)
    await expectNoPageErrors(tab)
  })

  test('an endpoint to read-only rejects writes as previewed, and still accepts reads', async () => {
    const { page, requestAsOwner, requestWithKey } = await openControls()
    const { secret } = await requestAsOwner('POST', '/portal/api/api-keys', {
      name: 'Website',
      permissions: 'departments.view,departments.manage',
    })
    await openControl(page, 'Departments')
    await page.getByLabel('Read-only').check()
    const response = await readPreviewedResponse(page)
    await pressButton(page, 'Make Departments read-only')
    await row(page, '/api/departments').getByText('Read-only').waitFor()
    expect((await requestWithKey(secret, 'departments')).status).toBe(200)
    const rejected = await requestWithKey(secret, 'departments', { name: 'Rangers' })
    const { requestId: _, ...body } = rejected.body as { requestId: string }
    expect([rejected.status, body]).toEqual([403, response])
  })

  test('the two endpoints that must stay on is not offered, with the reason', async () => {
    const { workspaceId, page } = await openControls()
    for (const endpoint of ['_workspace-permissions', 'endpoint-controls']) {
      await row(page, `/api/${endpoint}`).getByText('Always on: without it, no').waitFor()
      expect(await row(page, `/api/${endpoint}`).getByRole('button').count()).toBe(0)
      const body = { workspaceId, endpoint, mode: 'off' }
      expect((await e2e.server.request('POST', PATH, { session: e2e.owner.session, body })).status).toBe(400)
    }
    await expectSettled(() => page.getByRole('button', { name: /^Change / }).count(), 4)
  })

  test('an endpoint, whose response was lost, is confirmed when it is sent again', async () => {
    const { page } = await openControls()
    const dialog = await openControl(page, 'Moderation')
    await dialog.getByLabel('Off').check()
    await page.route(
      (url) => url.pathname === PATH,
      async (route) => {
        await route.fetch()
        await route.abort()
      },
      { times: 1 },
    )
    await pressButton(page, 'Turn Moderation off')
    await dialog.getByText('Reeve cannot be reached.').waitFor()
    await pressButton(page, 'Turn Moderation off')
    await page.getByText('Moderation is off.').waitFor()
  })

  test('an endpoint without a response shows the error in the dialog, and the input stays', async () => {
    const { tab, page, readAsOwner } = await openControls()
    await openControl(page, 'Events')
    await page.getByLabel('Off').check()
    await fillIn(page, { Message: 'Back soon.' })
    await tab.context.setOffline(true)
    await pressButton(page, 'Turn Events off')
    await page.getByRole('dialog').getByText('You are offline. Try again once you are connected.').waitFor()
    await tab.context.setOffline(false)
    await failRequests(page, `**${PATH}`)
    await pressButton(page, 'Turn Events off')
    await page.getByText('This failed here.').waitFor()
    await expectSettled(() => readField(page, 'Message'), 'Back soon.')
    await page.unroute(`**${PATH}`)
    await pressButton(page, 'Turn Events off')
    await page.getByText('Events is off.').waitFor()
    const { controls } = await readAsOwner(PATH)
    expect(controls.find(({ endpoint }: { endpoint: string }) => endpoint === 'events')).toMatchObject({
      mode: 'off',
      message: 'Back soon.',
    })
  })
})

test('a change by someone else appears live; a script in its message is plain text, in the dialog too', async () => {
  const { tab, page, requestAsOwner } = await openControls()
  await reloadAndFollow(tab)
  await row(page, '/api/events').waitFor()
  await requestAsOwner('POST', PATH, { endpoint: 'events', mode: 'read_only', message: SCRIPT })
  await row(page, '/api/events').getByText(`“${SCRIPT}”`).waitFor()
  await openControl(page, 'Events')
  await expectSettled(() => readField(page, 'Message'), SCRIPT)
  expect(await readPreviewedResponse(page)).toMatchObject({ error: SCRIPT, reason: 'endpoint_read_only' })
  await expectSettled(() => page.title(), 'Endpoint controls · Night Shift · Reeve')
  await expectNoPageErrors(tab)
})

describe('an endpoint that a colleague changes while its dialog is open', () => {
  const LEAK = { endpoint: 'moderation', mode: 'off', message: 'Key leaked. Do not turn on.' }

  test('is not changed before the user has seen that', async () => {
    const { tab, page, requestAsOwner, readAsOwner } = await openControls()
    const readMode = async () => {
      const { controls } = await readAsOwner(PATH)
      return controls.find(({ endpoint }: { endpoint: string }) => endpoint === 'moderation')
    }
    const dialog = await openControl(page, 'Moderation')
    await dialog.getByLabel('Read-only').check()
    await fillIn(page, { Message: 'Maintenance until 18:00.' })
    await requestAsOwner('POST', PATH, LEAK)
    await pressButton(page, 'Make Moderation read-only')
    await dialog.getByText('Someone else changed this endpoint while you were editing.').waitFor()
    expect(await readMode()).toMatchObject(LEAK)
    const message = dialog.getByRole('group', { name: 'Message' })
    await message.getByText(LEAK.message).waitFor()
    await dialog.getByRole('group', { name: 'Mode' }).getByLabel('Keep mine Read-only').waitFor()
    expect(await readField(page, 'Message')).toBe('Maintenance until 18:00.')
    await message.getByLabel(/^Take theirs/).check()
    await pressButton(page, 'Make Moderation read-only')
    await page.getByText('Moderation is read-only.').waitFor()
    expect(await readMode()).toMatchObject({ ...LEAK, mode: 'read_only' })
    await expectNoPageErrors(tab)
  })

  test('shows its new mode in the dialog, if the user has not chosen another', async () => {
    const { tab, page, requestAsOwner } = await openControls()
    await reloadAndFollow(tab)
    const dialog = await openControl(page, 'Moderation')
    await requestAsOwner('POST', PATH, LEAK)
    await dialog.getByText('Game servers can no longer check bans').waitFor()
    expect(await readField(page, 'Message')).toBe(LEAK.message)
    await dialog.getByLabel('On', { exact: true }).check()
    await pressButton(page, 'Turn Moderation on')
    await page.getByText('Moderation is on.').waitFor()
  })
})

describe('permissions', () => {
  test('read-only users get no button, and users without access get no list', async () => {
    const viewer = await openControls(['endpoint_controls.view'])
    const { page, session, workspaceId } = viewer
    await row(page, '/api/moderation').getByText('On', { exact: true }).waitFor()
    await page.getByText('You can view these settings but not change them.').waitFor()
    expect(await page.getByRole('button', { name: /^Change / }).count()).toBe(0)
    const body = { workspaceId, endpoint: 'events', mode: 'off' }
    expect((await e2e.server.request('POST', PATH, { session, body })).status).toBe(403)
    const stranger = await openControls(['usage.view'])
    await stranger.page.getByText('You don’t have access').waitFor()
    expect(await stranger.page.getByRole('listitem').filter({ hasText: '/api/' }).count()).toBe(0)
    const controlsPath = `${PATH}?workspaceId=${stranger.workspaceId}`
    expect((await e2e.server.request('GET', controlsPath, { session: stranger.session })).status).toBe(403)
  })

  test('in an archived workspace the modes are shown and cannot be changed', async () => {
    const { tab, page, workspaceId } = await openControls()
    await reloadAndFollow(tab)
    await page.getByRole('button', { name: 'Change Events' }).waitFor()
    const body = { id: workspaceId, action: 'archive' }
    await e2e.server.requestOk('POST', '/api/workspaces', { session: e2e.owner.session, body })
    await page.getByRole('alert').getByText('This workspace is archived').waitFor()
    await page.getByRole('button', { name: 'Change Events' }).waitFor({ state: 'detached' })
    await row(page, '/api/events').waitFor()
  })
})

test('a failed read shows an error, and loads on retry', async () => {
  const { page } = await openControls()
  await row(page, '/api/events').waitFor()
  await failRequests(page, `**${PATH}?*`)
  await page.reload()
  await page.getByText('This failed here.').waitFor()
  await page.unroute(`**${PATH}?*`)
  await pressButton(page, 'Try again')
  await row(page, '/api/events').waitFor()
})

test('the mode of an endpoint is changed with the keyboard alone', async () => {
  const { page } = await openControls()
  await page.getByRole('button', { name: 'Change Events' }).focus()
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
