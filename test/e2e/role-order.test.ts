import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { dragWithMouse, dropWithMouse, findHandleCenter, openFinger } from '../support/dragging.ts'
import { useSession } from '../support/e2e-session.ts'
import { DESKTOP, expectFocus, expectSettled, pressButton, TOUCH_PHONE } from '../support/page-actions.ts'
import { expectNoPageErrors } from '../support/page-errors.ts'
import { openStaffSession } from '../support/staff-session.ts'

const e2e = useSession(openStaffSession)
const RANKS_PATH = '**/portal/api/roles/ranks'

/** Opens the roles of a new workspace: a role of each of these ranks. */
async function openRoles(ranks: Readonly<Record<string, number>>, browser: object = DESKTOP) {
  const fixture = await e2e.createWorkspaceFixture()
  const ids = new Map<string, string>()
  for (const [name, rank] of Object.entries(ranks)) {
    const { role } = await fixture.requestAsOwner('POST', '/portal/api/roles', { name, rank: String(rank) })
    ids.set(name, role.id)
  }
  const tab = await fixture.openScreen('/roles', { heading: 'Roles', browser })
  await tab.page.getByText('Highest rank').waitFor()
  const readRanks = async () => {
    const { roles } = await fixture.readAsOwner('/portal/api/roles')
    return Object.fromEntries(
      roles.slice(1).map(({ name, rank }: Record<string, string>) => [name, Number(rank)]),
    )
  }
  return { ...fixture, tab, page: tab.page, ids, readRanks }
}
const roleList = (page: Page) => page.getByRole('list', { name: 'Roles, highest rank first' })
const readNames = (page: Page) => roleList(page).getByRole('listitem').locator('bdi').allTextContents()
const bar = (page: Page) => page.getByRole('region', { name: 'Unsaved ranks' })

describe('the rank of a role', () => {
  test('is changed by dragging: previewed in a sentence, saved in one request, and undone', async () => {
    const { tab, page, readRanks } = await openRoles({ Lead: 100, Senior: 50, Helper: 10 })
    await dragWithMouse(page, 'Helper', 'Senior')
    await dropWithMouse(page)
    await bar(page)
      .getByText('Helper (0 members) moves from rank 10 to 60: below Lead, above Senior.')
      .waitFor()
    expect(await readNames(page)).toEqual(['Owner', 'Lead', 'Helper', 'Senior'])
    expect(await readRanks()).toEqual({ Lead: 100, Senior: 50, Helper: 10 })
    await pressButton(page, 'Save ranks')
    await page.getByText('“Helper” now has rank 60.').waitFor()
    expect(await readRanks()).toEqual({ Lead: 100, Helper: 60, Senior: 50 })
    expect(tab.requestedUrls.filter((url) => url.endsWith('/roles/ranks'))).toHaveLength(1)
    const restored = page.waitForResponse(RANKS_PATH)
    await pressButton(page, 'Undo')
    await restored
    await roleList(page).getByRole('listitem').last().getByText('Helper', { exact: true }).waitFor()
    await expectSettled(() => readNames(page), ['Owner', 'Lead', 'Senior', 'Helper'])
    expect(await readRanks()).toEqual({ Lead: 100, Senior: 50, Helper: 10 })
    await expectNoPageErrors(tab)
  })

  test('is changed by dragging the handle with a finger', async () => {
    const { tab, page, readRanks } = await openRoles({ Lead: 100, Senior: 50, Helper: 10 }, TOUCH_PHONE)
    const finger = await openFinger(page)
    await finger.drag(await findHandleCenter(page, 'Helper'), await findHandleCenter(page, 'Lead'))
    await page.locator('[data-dragged]').waitFor()
    await finger.lift()
    await bar(page).getByText('moves from rank 10 to 110: above Lead.').waitFor()
    await expectSettled(() => readNames(page), ['Owner', 'Helper', 'Lead', 'Senior'])
    await page.getByRole('button', { name: 'Save ranks' }).tap()
    await page.getByText('“Helper” now has rank 110.').waitFor()
    expect(await readRanks()).toEqual({ Helper: 110, Lead: 100, Senior: 50 })
    await expectNoPageErrors(tab)
  })

  test('is changed with the arrow keys, which pass or join roles of the same rank, and keep the focus', async () => {
    const { page, readRanks } = await openRoles({ Lead: 100, Artist: 20, Builder: 20, Zookeeper: 5 })
    const announcement = page.getByRole('status').filter({ hasText: 'Zookeeper' }).first()
    await page.getByRole('button', { name: 'Move Zookeeper' }).focus()
    await page.keyboard.press('ArrowUp')
    await announcement
      .getByText('“Zookeeper” moves to rank 20: below Lead, level with Artist and Builder.')
      .waitFor()
    await page.keyboard.press('ArrowUp')
    await announcement
      .getByText('“Zookeeper” moves to rank 30: below Lead, above Artist and Builder.')
      .waitFor()
    await expectFocus(page, 'Move Zookeeper')
    await page.keyboard.press('Home')
    await page.keyboard.press('ArrowUp')
    await announcement.getByText('“Zookeeper” is already as high as you can move it.').waitFor()
    await pressButton(page, 'Save ranks')
    await page.getByText('“Zookeeper” now has rank 110.').waitFor()
    expect(await readRanks()).toEqual({ Zookeeper: 110, Lead: 100, Artist: 20, Builder: 20 })
  })

  test('moves other roles only if there is no room between its new neighbors, and says so', async () => {
    const { page, readRanks } = await openRoles({ Lead: 22, Senior: 21, Helper: 5 })
    await page.getByRole('button', { name: 'Move Helper' }).focus()
    await page.keyboard.press('ArrowUp')
    await bar(page).getByText('2 ranks change').waitFor()
    await bar(page).getByText('Lead (0 members) moves from rank 22 to 23: above Helper.').waitFor()
    await bar(page).getByText('moves from rank 5 to 22: below Lead, above Senior.').waitFor()
    await pressButton(page, 'Save ranks')
    await page.getByText('Changed the ranks of 2 roles.').waitFor()
    expect(await readRanks()).toEqual({ Lead: 23, Helper: 22, Senior: 21 })
  })

  test('cannot be moved to or above the rank of the user', async () => {
    const session = e2e.staff.lead
    const { page } = await e2e.openScreen(`/w/${e2e.workspaceId}/roles`, {
      session,
      heading: 'Roles',
      browser: DESKTOP,
    })
    await page.getByRole('button', { name: 'Move Trainer' }).waitFor()
    expect(
      await page
        .getByRole('button', { name: /^Move / })
        .evaluateAll((all) => all.map((one) => one.ariaLabel)),
    ).toEqual(['Senior moderator', 'Moderator', 'Trainer'].map((name) => `Move ${name}`))
    await page.getByRole('button', { name: 'Move Trainer' }).focus()
    await page.keyboard.press('Home')
    await bar(page).getByText('moves from rank 20 to 60: below Lead, above Senior moderator.').waitFor()
    await pressButton(page, 'Discard')
    await expectSettled(
      () => readNames(page),
      ['Owner', 'Administrator', 'Lead', 'Senior moderator', 'Moderator', 'Trainer'],
    )
  })

  test('is not saved over a change by someone else, and can be saved after looking again', async () => {
    const { page, requestAsOwner, ids, readRanks } = await openRoles({ Lead: 100, Senior: 50, Helper: 10 })
    await page.getByRole('button', { name: 'Move Helper' }).focus()
    await page.keyboard.press('ArrowUp')
    // Keeps the page from learning of the change before it saves.
    await page.route('**/portal/api/roles?*', (route) => route.abort())
    await requestAsOwner('PATCH', '/portal/api/roles', { id: ids.get('Helper'), name: 'Aide' })
    await pressButton(page, 'Save ranks')
    // Named as it is now, which the page has not read.
    await bar(page)
      .getByText('“Aide” was changed by someone else in the meantime. Check the ranks, then save again.')
      .waitFor()
    expect(await readRanks()).toEqual({ Lead: 100, Senior: 50, Aide: 10 })
    await page.unroute('**/portal/api/roles?*')
    await page.reload()
    await page.getByRole('button', { name: 'Move Aide' }).focus()
    await page.keyboard.press('ArrowUp')
    await pressButton(page, 'Save ranks')
    await page.getByText('“Aide” now has rank 60.').waitFor()
  })

  test('is asked about before the screen is left unsaved', async () => {
    const { page } = await openRoles({ Lead: 100, Helper: 10 })
    await page.getByRole('button', { name: 'Move Helper' }).focus()
    await page.keyboard.press('ArrowUp')
    await page.getByRole('link', { name: 'People' }).click()
    await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor()
  })

  test('that is changed while others are being saved stays to be saved', async () => {
    const { page, readRanks } = await openRoles({ Lead: 100, Senior: 50, Helper: 10 })
    await page.getByRole('button', { name: 'Move Helper' }).press('ArrowUp')
    const { promise: isMoved, resolve: finishMoving } = Promise.withResolvers<void>()
    const { promise: isSaving, resolve: startSaving } = Promise.withResolvers<void>()
    await page.route(RANKS_PATH, async (route) => {
      startSaving()
      await isMoved
      await route.continue()
    })
    await pressButton(page, 'Save ranks')
    await isSaving
    await page.getByRole('button', { name: 'Move Lead' }).press('End')
    await bar(page).getByText('2 ranks change').waitFor()
    finishMoving()
    await page.getByText('“Helper” now has rank 60.').waitFor()
    await bar(page)
      .getByText(/^Lead \(0 members\) moves from rank 100 to/)
      .waitFor()
    expect(await readRanks()).toEqual({ Lead: 100, Helper: 60, Senior: 50 })
    await pressButton(page, 'Save ranks')
    await page.getByText('“Lead” now has rank').waitFor()
    expect(Object.keys(await readRanks())).toEqual(['Helper', 'Senior', 'Lead'])
  })
})
