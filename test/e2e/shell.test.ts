import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { openE2eSessionPerTest, useSession } from '../support/e2e-session.ts'
import { createOpenPath, listLinks } from '../support/navigation.ts'
import {
  expectFocus,
  expectSettled,
  PHONE,
  readField,
  waitForHeading,
  waitUntil,
} from '../support/page-actions.ts'
import { expectNoPageErrors } from '../support/page-errors.ts'
import { GROUP } from '../support/server.ts'

const e2e = useSession(openE2eSessionPerTest)

const openPath = createOpenPath(e2e)

describe('the sections', () => {
  test('are those that the user can see, and an unknown path says so', async () => {
    const { server, owner, page } = await openPath('/w/$/nowhere')
    await waitForHeading(page, 'Page not found')
    expect(await page.locator('nav [aria-current]').count()).toBe(0)
    await expectSettled(
      () => listLinks(page, 'Sections'),
      [
        'Home',
        'Moderation',
        'Appeals',
        'Inbox',
        'Events',
        'Departments',
        'People',
        'Roles',
        'Batches',
        'Insights',
        'Connect your game',
        'Appeal form',
        'API keys',
        'Endpoint controls',
        'Reasons and ladders',
        'Retention',
        'Erasures',
        'Webhooks',
        'Import',
        'Usage',
        'Workspace',
        'Audit log',
      ],
    )
    const session = await server.createMember(owner, 'kim', ['events.view'])
    const { page: otherPage } = await e2e.openScreen(`/w/${owner.workspaceId}/nowhere`, { session })
    await waitForHeading(otherPage, 'Page not found')
    await expectSettled(() => listLinks(otherPage, 'Sections'), ['Home', 'Events'])
    expect(await otherPage.getByRole('searchbox', { name: /Find a player/ }).count()).toBe(0)
  })

  test('appear as soon as the user gets the permission', async () => {
    const { server, owner } = await openPath('/account')
    const session = await server.createMember(owner, 'kim', ['events.view'])
    const { page } = await e2e.openScreen(`/w/${owner.workspaceId}/nowhere`, { session })
    await page.getByRole('link', { name: 'Events' }).waitFor()
    expect(await page.getByRole('link', { name: 'Departments' }).count()).toBe(0)
    const { body } = await server.requestOk(
      'GET',
      `/portal/api/roles?workspaceId=${owner.workspaceId}`,
      owner,
    )
    const role = body.roles.find(({ name }: { name: string }) => name === 'Role of kim')
    await server.requestOk('POST', '/api/_workspace-permissions', {
      session: owner.session,
      body: {
        workspaceId: owner.workspaceId,
        roleId: role.id,
        permissions: 'events.view,departments.view',
      },
    })
    await page.getByRole('link', { name: 'Departments' }).waitFor()
  })

  test('are in a bottom bar on a phone, with the rest under More', async () => {
    const { page } = await openPath('/w/$/nowhere', PHONE)
    await waitForHeading(page, 'Page not found')
    await expectSettled(() => listLinks(page, 'Main sections'), ['Home', 'Moderation', 'Appeals', 'Inbox'])
    await expectSettled(
      () => page.getByRole('navigation', { name: 'Sections', exact: true }).isVisible(),
      false,
    )
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('navigation', { name: 'All sections' }).waitFor()
    expect(await listLinks(page, 'All sections')).toHaveLength(22)
    await page.getByRole('navigation', { name: 'All sections' }).getByRole('link', { name: 'People' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(page.url()).toEndWith('/people')
  })

  test('of the operator are for operators only', async () => {
    const { server, page } = await openPath('/operator')
    await page.getByRole('link', { name: 'Accounts' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/operator/instance')
    expect((await listLinks(page, 'Sections')).slice(-5)).toEqual([
      'Health',
      'Accounts',
      'Workspaces',
      'Reports',
      'Instance log',
    ])
    await server.createAccount('kim')
    const { page: otherPage } = await e2e.openScreen('/operator/accounts', {
      session: await server.session('kim'),
    })
    await waitForHeading(otherPage, 'Operators only')
    expect(await otherPage.title()).toBe('Operators only · Reeve')
    expect(await listLinks(otherPage, 'Sections')).not.toContain('Accounts')
  })
})

/** Opens the command palette and waits until it has the focus. */
async function openPalette(page: Page): Promise<void> {
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Commands' }).waitFor()
  await expectFocus(page, 'Commands')
}

describe('navigation', () => {
  test('focuses the heading and sets the window title', async () => {
    const { page } = await openPath('/workspaces')
    await waitForHeading(page, 'Your workspaces')
    await expectSettled(() => page.title(), 'Your workspaces · Reeve')
    await page
      .getByRole('navigation', { name: 'Sections' })
      .getByRole('link', { name: 'Your account' })
      .click()
    await waitForHeading(page, 'Your account')
    await expectSettled(
      () => page.locator('nav [aria-current=page]:visible').allInnerTexts(),
      ['Your account'],
    )
    await expectFocus(page, 'Your account')
    await expectSettled(() => page.title(), 'Your account · Reeve')
    await page.goBack()
    await waitForHeading(page, 'Your workspaces')
    await expectFocus(page, 'Your workspaces')
  })

  test('the first tab stop skips to the content', async () => {
    const { page } = await openPath('/workspaces')
    await waitForHeading(page, 'Your workspaces')
    await page.keyboard.press('Tab')
    await expectFocus(page, 'Skip to content')
    expect(await page.getByRole('link', { name: 'Skip to content' }).boundingBox()).toMatchObject({
      y: 8,
    })
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await waitUntil(page, 'document.activeElement.matches("main *")')
  })

  test('the command palette finds screens, workspaces and actions', async () => {
    const { page, tab } = await openPath('/w/$/nowhere')
    await waitForHeading(page, 'Page not found')
    await openPalette(page)
    await page.keyboard.type('your acc')
    await page.keyboard.press('Enter')
    await waitForHeading(page, 'Your account')
    await openPalette(page)
    await page.keyboard.type('dark')
    await page.keyboard.press('Enter')
    await waitUntil(page, 'document.documentElement.dataset.mantineColorScheme === "dark"')
    await page.reload()
    await waitForHeading(page, 'Your account')
    expect(await page.evaluate<string>('document.documentElement.dataset.mantineColorScheme')).toBe('dark')
    await expectNoPageErrors(tab)
  })

  test('the / key focuses the player search, except in a field', async () => {
    const { page, owner } = await openPath('/w/$/nowhere')
    await waitForHeading(page, 'Page not found')
    await page.keyboard.press('/')
    await expectFocus(page, 'Find a player by ID or name')
    await page.keyboard.type('26/1')
    await page.getByText('No players match').waitFor()
    expect(await readField(page, 'Find a player by ID or name')).toBe('26/1')
    expect(new URL(page.url()).pathname).toBe(`/w/${owner.workspaceId}/nowhere`)
  })
})

describe('workspaces', () => {
  test('are switched by name, and the last one opens on the next visit', async () => {
    const { server, owner, page } = await openPath('/w/$/nowhere')
    for (let number = 1; number <= 6; number++) {
      await server.requestOk('POST', '/api/workspaces', {
        session: owner.session,
        body: { groupName: `Owls ${number}` },
      })
    }
    await page.reload()
    await page.getByRole('button', { name: RegExp(`^${GROUP}.*switch`) }).click()
    await page.getByPlaceholder('Find a workspace').fill('owls 4')
    await page.getByRole('option', { name: 'Owls 4' }).click()
    await page.getByRole('button', { name: /^Owls 4.*switch/ }).waitFor()
    const { pathname } = new URL(page.url())
    expect(pathname).not.toContain(owner.workspaceId)
    await page.goto(server.origin)
    await page.getByRole('button', { name: /^Owls 4.*switch/ }).waitFor()
    expect(new URL(page.url()).pathname).toBe(pathname)
  })

  test('can be created by a user who has none', async () => {
    const { server } = await openPath('/account')
    await server.createAccount('kim')
    const { page } = await e2e.openScreen('/', { session: await server.session('kim') })
    await page.getByText('You are not a member of any workspace yet').waitFor()
    await page.getByRole('main').getByRole('link', { name: 'Create a workspace' }).click()
    await waitForHeading(page, 'Create a workspace')
    await page.getByLabel('Group name').fill('')
    await page.getByRole('button', { name: 'Create workspace', exact: true }).click()
    await page
      .getByText(/^Group name /)
      .last()
      .waitFor()
    await page.getByLabel('Group name').fill('Owls')
    await page.getByRole('button', { name: 'Create workspace', exact: true }).click()
    await page.getByRole('button', { name: /^Owls.*switch/ }).waitFor()
  })

  test('of others look the same as workspaces that do not exist', async () => {
    const { server, owner } = await openPath('/account')
    await server.createAccount('kim')
    const session = await server.session('kim')
    for (const id of [owner.workspaceId, '0198c0de-0000-7000-8000-000000000001']) {
      const { page } = await e2e.openScreen(`/w/${id}`, { session })
      await waitForHeading(page, 'You don’t belong to this workspace')
      expect(await page.title()).toBe('You don’t belong to this workspace · Reeve')
      expect(await page.textContent('body')).not.toContain(GROUP)
    }
  })
})

describe('live updates', () => {
  test('show a notice while they are disconnected', async () => {
    const { page } = await openPath('/w/$/nowhere')
    await waitForHeading(page, 'Page not found')
    await page.route('**/portal/api/live*', (route) => route.abort())
    await page.reload()
    await page.getByText('Not connected: recent changes by others may be missing.').waitFor()
    await page.unroute('**/portal/api/live*')
    await page.evaluate("window.dispatchEvent(new Event('online'))")
    await page.getByText('Not connected').waitFor({ state: 'detached' })
  })
})

describe('an unknown path', () => {
  test('outside the portal shows a page with status 404 to browsers, signed in or not, and JSON to programs', async () => {
    const { server } = await openPath('/account')
    for (const path of ['/nope', '/portal', '/nope/nested']) {
      const { status, body } = await server.request('GET', path)
      expect([path, status, body?.code]).toEqual([path, 404, 'not_found'])
      for (const session of [null, await server.session()]) {
        const tab = await e2e.openScreen('/sign-in', { session })
        const response = await tab.page.goto(`${server.origin}${path}`)
        expect(response?.status()).toBe(404)
        await waitForHeading(tab.page, 'Page not found')
        await expectSettled(() => tab.page.title(), 'Page not found · Reeve')
        await expectNoPageErrors(tab)
        await tab.close()
      }
    }
    for (const path of ['/portal/api/nowhere', '/api/nowhere', '/portal/assets/main.js']) {
      const { status, body } = await server.request('GET', path)
      expect([path, status, body?.code]).toEqual([path, 404, 'not_found'])
    }
    const { page } = await e2e.openScreen('/sign-in')
    await page.goto(`${server.origin}/nope`)
    await page.getByRole('link', { name: 'Go to the home page' }).click()
    await waitForHeading(page, 'Sign in')
  })

  test('of the portal shows a message', async () => {
    const { page } = await openPath('/workspaces/elsewhere')
    await waitForHeading(page, 'Page not found')
  })
})
