import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { openE2eSessionPerTest, useSession } from '../support/e2e-session.ts'
import { createOpenPath, listLinks } from '../support/navigation.ts'
import { openInApp, PHONE, WAIT_MS, waitForHeading } from '../support/page-actions.ts'
import { GROUP } from '../support/server.ts'

const e2e = useSession(openE2eSessionPerTest)

const openPath = createOpenPath(e2e)

const ELSEWHERE = ['/account', '/workspaces', '/operator/instance']

describe('on the screens of the account and of the instance', () => {
  test('the navigation of the last workspace stays, followed by their own', async () => {
    const { server, owner, page } = await openPath('/w/$/events')
    await server.requestOk('POST', '/api/workspaces', { session: owner.session, body: { groupName: 'Owls' } })
    await waitForHeading(page, 'Events')
    for (const path of ELSEWHERE) {
      await page.goto(`${server.origin}${path}`)
      await page.getByRole('button', { name: RegExp(`^${GROUP}.*switch`) }).waitFor()
      const links = await listLinks(page, 'Sections')
      expect([path, links.slice(0, 3), links.slice(-7)]).toEqual([
        path,
        ['Home', 'Moderation', 'Appeals'],
        ['Your workspaces', 'Your account', 'Health', 'Accounts', 'Workspaces', 'Reports', 'Instance log'],
      ])
      expect(await page.locator('nav [aria-current=page]:visible').count()).toBe(1)
    }
    await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Events' }).click()
    await waitForHeading(page, 'Events')
    expect(page.url()).toContain(owner.workspaceId)
  })

  test('the bottom bar of a phone leads back to the workspace, and marks More', async () => {
    const { server, owner, page } = await openPath('/w/$/events', PHONE)
    await waitForHeading(page, 'Events')
    for (const path of ELSEWHERE) {
      await page.goto(`${server.origin}${path}`)
      await page.getByRole('navigation', { name: 'Main sections' }).waitFor()
      expect(await listLinks(page, 'Main sections')).toEqual(['Home', 'Moderation', 'Appeals', 'Inbox'])
      const more = page.getByRole('button', { name: 'More' })
      expect([path, await more.getAttribute('data-current')]).toEqual([path, 'true'])
      await more.click()
      const all = page.getByRole('navigation', { name: 'All sections' })
      await all.waitFor()
      expect(await all.locator('[aria-current=page]').count()).toBe(1)
    }
    await page.keyboard.press('Escape')
    await page.getByRole('navigation', { name: 'Main sections' }).getByRole('link', { name: 'Home' }).click()
    await page.waitForURL(RegExp(`/w/${owner.workspaceId}/?$`))
  })

  test('the navigation of a tab stays when another workspace is opened in another tab', async () => {
    const { server, owner, tab, page } = await openPath('/w/$')
    const { body } = await server.requestOk('POST', '/api/workspaces', {
      session: owner.session,
      body: { groupName: 'Owls' },
    })
    const openInNewTab = async (path: string) => {
      const other = await tab.context.newPage()
      other.setDefaultTimeout(WAIT_MS)
      await other.goto(`${server.origin}${path}`)
      return other
    }
    const waitForNavigation = (where: Page, name: string) =>
      where.getByRole('button', { name: RegExp(`^${name}.*switch`) }).waitFor()
    await waitForHeading(page, GROUP)
    await openInApp(page, '/account')
    await waitForHeading(page, 'Your account')
    const unused = await openInNewTab('/account')
    await waitForNavigation(unused, GROUP)
    await waitForNavigation(await openInNewTab(`/w/${body.workspace.id}`), 'Owls')
    for (const each of [page, unused]) {
      await Promise.all([
        each.waitForResponse('**/portal/api/me'),
        each.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))"),
      ])
      // Rendered anew, with the data of the response.
      await each.getByRole('link', { name: 'Your workspaces' }).first().click()
      await waitForHeading(each, 'Your workspaces')
      await waitForNavigation(each, GROUP)
    }
    await page.reload()
    await waitForNavigation(page, GROUP)
    await waitForNavigation(await openInNewTab('/account'), 'Owls')
  })

  test('a user without a workspace sees their own sections only', async () => {
    const { server } = await openPath('/account')
    await server.createAccount('kim')
    const { page } = await e2e.openScreen('/account', { session: await server.session('kim') })
    await waitForHeading(page, 'Your account')
    expect(await listLinks(page, 'Sections')).toEqual(['Your workspaces', 'Your account'])
  })
})
