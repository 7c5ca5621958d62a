import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { GROUP } from '../support/place.ts'
import { expectFocus, expectSoon, heading, until } from '../support/portal.ts'
import { expectCalm, openVisits } from '../support/visit.ts'

let visits: Awaited<ReturnType<typeof openVisits>>
beforeAll(async () => {
  visits = await openVisits()
})
afterEach(() => visits.leave())
afterAll(() => visits?.close())

const PHONE = { viewport: { width: 390, height: 844 } }

async function openIn(path: string, options: Parameters<(typeof visits)['visit']>[2] = {}) {
  const place = await visits.place()
  const owner = await place.setUp()
  const opened = await visits.visit(path.replace('$', owner.workspaceId), owner.session, options)
  return { place, owner, opened, page: opened.page }
}

const placesIn = (page: Page, navigation: string): Promise<string[]> =>
  page.getByRole('navigation', { name: navigation }).getByRole('link').allInnerTexts()

describe('the sections', () => {
  test('are those that the reader may see, and the address of another says so', async () => {
    const { place, owner, page } = await openIn('/w/$/nowhere')
    await heading(page, 'There is nothing here')
    expect(await page.locator('nav [aria-current]').count()).toBe(0)
    await expectSoon(
      () => placesIn(page, 'Sections'),
      [
        'Home',
        'Moderation',
        'Events',
        'Departments',
        'People',
        'Roles',
        'API keys',
        'Endpoint controls',
        'Usage',
        'Workspace',
        'Audit log',
      ],
    )
    const session = await place.member(owner, 'kim', ['events.view'])
    const { page: theirs } = await visits.visit(`/w/${owner.workspaceId}/nowhere`, session)
    await heading(theirs, 'There is nothing here')
    await expectSoon(() => placesIn(theirs, 'Sections'), ['Home', 'Events'])
    expect(await theirs.getByRole('searchbox', { name: /Find a player/ }).count()).toBe(0)
  })

  test('change as soon as the reader may see more', async () => {
    const { place, owner } = await openIn('/account')
    const session = await place.member(owner, 'kim', ['events.view'])
    const { page } = await visits.visit(`/w/${owner.workspaceId}/nowhere`, session)
    await page.getByRole('link', { name: 'Events' }).waitFor()
    expect(await page.getByRole('link', { name: 'Departments' }).count()).toBe(0)
    const { body } = await place.must('GET', `/portal/api/roles?workspaceId=${owner.workspaceId}`, owner)
    const role = body.roles.find(({ name }: { name: string }) => name === 'Role of kim')
    await place.must('POST', '/api/_workspace-permissions', {
      session: owner.session,
      body: {
        workspaceId: owner.workspaceId,
        roleId: role.id,
        permissions: 'events.view,departments.view',
      },
    })
    await page.getByRole('link', { name: 'Departments' }).waitFor()
  })

  test('are within reach of a thumb on a phone, and the rest behind one more', async () => {
    const { page } = await openIn('/w/$/nowhere', PHONE)
    await heading(page, 'There is nothing here')
    await expectSoon(() => placesIn(page, 'Main sections'), ['Home', 'Moderation', 'Events', 'Departments'])
    await expectSoon(() => page.getByRole('navigation', { name: 'Sections', exact: true }).isVisible(), false)
    await page.getByRole('button', { name: 'More' }).click()
    expect(await placesIn(page, 'All sections')).toHaveLength(11)
    await page.getByRole('navigation', { name: 'All sections' }).getByRole('link', { name: 'People' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(page.url()).toEndWith('/people')
  })

  test('of the operator are there for operators alone', async () => {
    const { place, page } = await openIn('/operator')
    await page.getByRole('link', { name: 'Accounts' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/operator/instance')
    await expectSoon(() => placesIn(page, 'Sections'), ['Health', 'Accounts', 'Workspaces'])
    await place.account('kim')
    const { page: theirs } = await visits.visit('/operator/accounts', await place.session('kim'))
    await heading(theirs, 'This is for operators')
    expect(await placesIn(theirs, 'Sections')).not.toContain('Accounts')
  })
})

/** Opens the command palette, and waits until it listens. */
async function openPalette(page: Page): Promise<void> {
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.keyboard.press('Control+k')
  await expectFocus(page, 'Commands')
}

describe('going somewhere', () => {
  test('puts the focus on the heading and the name into the title of the window', async () => {
    const { page } = await openIn('/workspaces')
    await heading(page, 'Your workspaces')
    expect(await page.title()).toBe('Your workspaces · Reeve')
    await page
      .getByRole('navigation', { name: 'Sections' })
      .getByRole('link', { name: 'Your account' })
      .click()
    await heading(page, 'Your account')
    await expectSoon(() => page.locator('nav [aria-current=page]:visible').allInnerTexts(), ['Your account'])
    await expectFocus(page, 'Your account')
    expect(await page.title()).toBe('Your account · Reeve')
    await page.goBack()
    await heading(page, 'Your workspaces')
    await expectFocus(page, 'Your workspaces')
  })

  test('the first stop of the keyboard skips to the content', async () => {
    const { page } = await openIn('/workspaces')
    await heading(page, 'Your workspaces')
    await page.keyboard.press('Tab')
    await expectFocus(page, 'Skip to the content')
    expect(await page.getByRole('link', { name: 'Skip to the content' }).boundingBox()).toMatchObject({
      y: 8,
    })
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await until(page, 'document.activeElement.matches("main *")')
  })

  test('by name: the palette finds sections, workspaces and what can be done', async () => {
    const { page, opened } = await openIn('/w/$/nowhere')
    await heading(page, 'There is nothing here')
    await openPalette(page)
    await page.keyboard.type('your acc')
    await page.keyboard.press('Enter')
    await heading(page, 'Your account')
    await openPalette(page)
    await page.keyboard.type('dark')
    await page.keyboard.press('Enter')
    await until(page, 'document.documentElement.dataset.mantineColorScheme === "dark"')
    await page.reload()
    await heading(page, 'Your account')
    expect(await page.evaluate<string>('document.documentElement.dataset.mantineColorScheme')).toBe('dark')
    await expectCalm(opened)
  })

  test('a slash finds a player, from anywhere but a field', async () => {
    const { page, owner } = await openIn('/w/$/nowhere')
    await heading(page, 'There is nothing here')
    await page.keyboard.press('/')
    await expectFocus(page, 'Find a player, by id or name')
    await page.keyboard.type('26/1')
    await page.keyboard.press('Enter')
    await until(page, `location.pathname === "/w/${owner.workspaceId}/moderation"`)
    expect(new URL(page.url()).searchParams.get('q')).toBe('26/1')
  })
})

describe('workspaces', () => {
  test('are switched by name, and the last one is where the next visit begins', async () => {
    const { place, owner, page } = await openIn('/w/$/nowhere')
    for (let number = 1; number <= 6; number++) {
      await place.must('POST', '/api/workspaces', {
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
    await page.goto(place.origin)
    await page.getByRole('button', { name: /^Owls 4.*switch/ }).waitFor()
    expect(new URL(page.url()).pathname).toBe(pathname)
  })

  test('there are none yet: one can be made at once', async () => {
    const { place } = await openIn('/account')
    await place.account('kim')
    const { page } = await visits.visit('/', await place.session('kim'))
    await page.getByText('You belong to no workspace yet').waitFor()
    await page.getByRole('main').getByRole('link', { name: 'Create a workspace' }).click()
    await heading(page, 'Create a workspace')
    await page.getByLabel('Group name').fill('')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page
      .getByText(/^Group name /)
      .last()
      .waitFor()
    await page.getByLabel('Group name').fill('Owls')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByRole('button', { name: /^Owls.*switch/ }).waitFor()
  })

  test('of others are told as not one’s own, as are those that never were', async () => {
    const { place, owner } = await openIn('/account')
    await place.account('kim')
    const session = await place.session('kim')
    for (const id of [owner.workspaceId, '0198c0de-0000-7000-8000-000000000001']) {
      const { page } = await visits.visit(`/w/${id}`, session)
      await heading(page, 'You do not belong to this workspace')
      expect(await page.textContent('body')).not.toContain(GROUP)
    }
  })
})

describe('changes made elsewhere', () => {
  test('that do not come through are told after a while, in a quiet word, until they do again', async () => {
    const { page } = await openIn('/w/$/nowhere')
    await heading(page, 'There is nothing here')
    await page.route('**/portal/api/live*', (route) => route.abort())
    await page.reload()
    await page.getByText('Not connected: changes made elsewhere may be missing here.').waitFor()
    await page.unroute('**/portal/api/live*')
    await page.evaluate("window.dispatchEvent(new Event('online'))")
    await page.getByText('Not connected').waitFor({ state: 'detached' })
  })
})

test('an address that is none of the page is answered in JSON, and one of the page that is none of its screens says so', async () => {
  const { place } = await openIn('/account')
  for (const path of [
    '/nowhere',
    '/portal',
    '/portal/api/nowhere',
    '/api/nowhere',
    '/portal/assets/main.js',
  ]) {
    const { status, body } = await place.call('GET', path)
    expect([path, status, body?.code]).toEqual([path, 404, 'not_found'])
  }
  const { page } = await visits.visit('/workspaces/elsewhere', await place.session())
  await heading(page, 'There is nothing here')
})
