import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import type { Permission } from '@reeve/core'
import type { Page } from 'playwright-core'
import { followed, openFreshWorkspaces } from '../support/fresh-workspace.ts'
import { expectSoon, failAt, fillIn, press, typedIn, until } from '../support/portal.ts'
import { expectCalm } from '../support/visit.ts'

let at: Awaited<ReturnType<typeof openFreshWorkspaces>>
beforeAll(async () => {
  at = await openFreshWorkspaces()
}, 60_000)
afterEach(() => at.leave())
afterAll(() => at?.close())

const PATH = '/portal/api/endpoint-controls'
const SCRIPT = '<img src=x onerror="document.title=1"><script>document.title=1</script>'
const SCREEN = ['/configuration/api/controls', 'Endpoint controls'] as const

async function openControls(permissions?: readonly Permission[]) {
  const home = await at.workspace(permissions)
  const opened = await home.visit(...SCREEN)
  return { ...home, opened, page: opened.page }
}

const row = (page: Page, title: string) => page.getByRole('listitem').filter({ hasText: title })

async function openSwitch(page: Page, title: string) {
  await press(page, `Switch ${title}`)
  const dialog = page.getByRole('dialog', { name: `Switch ${title}` })
  await dialog.waitFor()
  return dialog
}

/** The answer that callers were said to get, without what differs each time. */
async function promised(page: Page): Promise<object> {
  const { requestId: _, ...answer } = JSON.parse(
    (await page.getByLabel('The answer', { exact: true }).textContent()) ?? '{}',
  )
  return answer
}

describe('switching', () => {
  test('an endpoint off says beforehand, word by word, what callers then get; and on again', async () => {
    const { opened, page, must, callWith } = await openControls()
    const { secret } = await must('POST', '/portal/api/api-keys', {
      name: 'Main server',
      permissions: 'moderation.view,moderation.ban',
    })
    const check = () => callWith(secret, 'moderation?banList=true&userId=261')
    expect((await check()).status).toBe(200)
    const dialog = await openSwitch(page, 'Moderation')
    await expectSoon(() => dialog.getByRole('button', { name: 'Nothing is changed' }).isDisabled(), true)
    await dialog.getByLabel('Off').check()
    expect(await promised(page)).toMatchObject({ error: 'This endpoint is switched off in this workspace.' })
    await fillIn(page, { Message: '  Closed until 18:00 UTC.  ' })
    await dialog.getByText('Game servers no longer learn who is banned').waitFor()
    const answer = await promised(page)
    expect((await check()).status).toBe(200)
    await press(page, 'Switch Moderation off')
    await page.getByText('Moderation is off.').waitFor()
    const refused = await check()
    const { requestId: _, ...body } = refused.body as { requestId: string }
    expect([refused.status, body]).toEqual([403, answer])
    await row(page, '/api/moderation').getByText('Off', { exact: true }).waitFor()
    await row(page, '/api/moderation').getByText('“Closed until 18:00 UTC.”').waitFor()
    await row(page, '/api/moderation').getByText('by robin').waitFor()
    await openSwitch(page, 'Moderation')
    await expectSoon(() => typedIn(page, 'Message'), 'Closed until 18:00 UTC.')
    await page.getByLabel('On', { exact: true }).check()
    await press(page, 'Switch Moderation on')
    await page.getByText('Moderation is on.').waitFor()
    expect((await check()).status).toBe(200)
    await expectCalm(opened)
  })

  test('an endpoint to read-only refuses writes as it was said, and goes on answering reads', async () => {
    const { page, must, callWith } = await openControls()
    const { secret } = await must('POST', '/portal/api/api-keys', {
      name: 'Website',
      permissions: 'departments.view,departments.manage',
    })
    await openSwitch(page, 'Departments')
    await page.getByLabel('Read-only').check()
    const answer = await promised(page)
    await press(page, 'Make Departments read-only')
    await row(page, '/api/departments').getByText('Read-only').waitFor()
    expect((await callWith(secret, 'departments')).status).toBe(200)
    const refused = await callWith(secret, 'departments', { name: 'Rangers' })
    const { requestId: _, ...body } = refused.body as { requestId: string }
    expect([refused.status, body]).toEqual([403, answer])
  })

  test('the two that nobody could come back from is not offered, and it is said why', async () => {
    const { workspaceId, page } = await openControls()
    for (const endpoint of ['_workspace-permissions', 'endpoint-controls']) {
      await row(page, `/api/${endpoint}`).getByText('Always on: with it off, no').waitFor()
      expect(await row(page, `/api/${endpoint}`).getByRole('button').count()).toBe(0)
      const body = { workspaceId, endpoint, mode: 'off' }
      expect((await at.place.call('POST', PATH, { session: at.owner, body })).status).toBe(400)
    }
    await expectSoon(() => page.getByRole('button', { name: /^Switch / }).count(), 4)
  })

  test('that finds no answer is told in the dialog, and what was typed stays', async () => {
    const { opened, page, read } = await openControls()
    await openSwitch(page, 'Events')
    await page.getByLabel('Off').check()
    await fillIn(page, { Message: 'Back soon.' })
    await opened.context.setOffline(true)
    await press(page, 'Switch Events off')
    await page.getByText('You are offline. Try again once you are connected.').waitFor()
    await opened.context.setOffline(false)
    await failAt(page, `**${PATH}`)
    await press(page, 'Switch Events off')
    await page.getByText('This failed here.').waitFor()
    await expectSoon(() => typedIn(page, 'Message'), 'Back soon.')
    await page.unroute(`**${PATH}`)
    await press(page, 'Switch Events off')
    await page.getByText('Events is off.').waitFor()
    const { controls } = await read(PATH)
    expect(controls.find(({ endpoint }: { endpoint: string }) => endpoint === 'events')).toMatchObject({
      mode: 'off',
      message: 'Back soon.',
    })
  })
})

test('a switch of somebody else is seen at once; a script in its message is text, in the dialog too', async () => {
  const { opened, page, must } = await openControls()
  await followed(opened)
  await row(page, '/api/events').waitFor()
  await must('POST', PATH, { endpoint: 'events', mode: 'read_only', message: SCRIPT })
  await row(page, '/api/events').getByText(`“${SCRIPT}”`).waitFor()
  await openSwitch(page, 'Events')
  await expectSoon(() => typedIn(page, 'Message'), SCRIPT)
  expect(await promised(page)).toMatchObject({ error: SCRIPT, reason: 'endpoint_read_only' })
  expect(await page.title()).toBe('Endpoint controls · Night Shift · Reeve')
  await expectCalm(opened)
})

describe('who may', () => {
  test('whoever may look finds no switch, and whoever may not look finds nothing', async () => {
    const looker = await openControls(['endpoint_controls.view'])
    const { page, session, workspaceId } = looker
    await row(page, '/api/moderation').getByText('On', { exact: true }).waitFor()
    await page.getByText('Your roles let you see the switches, not use them.').waitFor()
    expect(await page.getByRole('button', { name: /^Switch / }).count()).toBe(0)
    const body = { workspaceId, endpoint: 'events', mode: 'off' }
    expect((await at.place.call('POST', PATH, { session, body })).status).toBe(403)
    const stranger = await openControls(['usage.view'])
    await stranger.page.getByText('This is not for you to see').waitFor()
    expect(await stranger.page.getByRole('listitem').filter({ hasText: '/api/' }).count()).toBe(0)
    const asked = `${PATH}?workspaceId=${stranger.workspaceId}`
    expect((await at.place.call('GET', asked, { session: stranger.session })).status).toBe(403)
  })

  test('in an archived workspace the switches are shown, and stay as they are', async () => {
    const { opened, page, workspaceId } = await openControls()
    await followed(opened)
    await page.getByRole('button', { name: 'Switch Events' }).waitFor()
    const body = { id: workspaceId, action: 'archive' }
    await at.place.must('POST', '/api/workspaces', { session: at.owner, body })
    await page.getByText('This workspace is archived').waitFor()
    await page.getByRole('button', { name: 'Switch Events' }).waitFor({ state: 'detached' })
    await row(page, '/api/events').waitFor()
  })
})

test('what cannot be read is told, and read when there is an answer again', async () => {
  const { page } = await openControls()
  await row(page, '/api/events').waitFor()
  await failAt(page, `**${PATH}?*`)
  await page.reload()
  await page.getByText('This failed here.').waitFor()
  await page.unroute(`**${PATH}?*`)
  await press(page, 'Try again')
  await row(page, '/api/events').waitFor()
})

test('the keyboard alone switches an endpoint', async () => {
  const { page } = await openControls()
  await page.getByRole('button', { name: 'Switch Events' }).focus()
  await page.keyboard.press('Enter')
  await until(page, 'document.activeElement.matches("[role=dialog] [type=radio]")')
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
