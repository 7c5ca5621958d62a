import { describe, expect, test } from 'bun:test'
import type { Locator, Page } from 'playwright-core'
import { useSession } from '../support/e2e-session.ts'
import { openDialog, openModerationSession } from '../support/moderation.ts'
import { DESKTOP, expectSettled, PHONE, pressButton, waitForHeading } from '../support/page-actions.ts'
import { limitRole } from '../support/role-limits.ts'
import { findMiddle, pressAtChange } from '../support/stray-tap.ts'

const e2e = useSession(openModerationSession)

const ban = (userId: string) => ({
  action: 'ban',
  userId,
  userUsername: `Player${userId}`,
  reason: 'Spam',
})

/** A phone that shows several rows below the filters. */
const LONG_PHONE = { ...PHONE, viewport: { width: 390, height: 1400 } }

const isShown = (element: Locator) => async () => (await element.count()) > 0

const isGone = (element: Locator) => async () => (await element.count()) === 0

/** A workspace with bans of players 1 to `count`. */
async function createBans(count: number) {
  const workspace = await e2e.createModerationWorkspace()
  for (let userId = 1; userId <= count; userId++) await workspace.moderate(ban(String(userId)))
  return workspace
}

/** The link to the page of a player. */
const playerLink = (page: Page, userId: string) =>
  page.getByRole('main').getByRole('link', { name: new RegExp(`Player${userId}\\b`) })

const checkbox = (page: Page, caseNumber: number) =>
  page.getByRole('checkbox', { name: `Select case ${caseNumber}`, exact: true })

/** Opens requests for the approval of bans of players 1 to 3. */
async function openApprovals() {
  const { session, toPath, moderate, createMember, workspaceId } = await e2e.createModerationWorkspace()
  const kim = await createMember('moderation.view', 'moderation.ban', 'moderation.unban')
  const limits = { permanentBansNeedApproval: 'true' }
  await limitRole(e2e.server, { workspaceId, session }, `Role of ${kim.name}`, limits)
  for (const userId of ['1', '2', '3']) await moderate(ban(userId), kim.session)
  const { page } = await e2e.openScreen(toPath('/approvals'), { session, browser: LONG_PHONE })
  const approve = (caseNumber: number) =>
    page
      .getByRole('group', { name: `Decide case ${caseNumber}` })
      .getByRole('button', { name: 'Approve', exact: true })
  await approve(3).waitFor()
  return { page, moderate, approve }
}

describe('a row that a live update has just moved', () => {
  test.each([
    ['a tap', 'Active bans', '/bans', PHONE],
    ['a click', 'Active bans', '/bans', DESKTOP],
    ['a tap', 'Latest cases', '', PHONE],
  ])(
    'is not opened by %s on “%s” that was meant for another one, and soon reacts',
    async (_, label, path, browser) => {
      const { session, toPath, moderate } = await createBans(3)
      const { page } = await e2e.openScreen(toPath(path), { session, browser })
      await page.getByRole('list', { name: label }).waitFor()
      const { x, y } = await findMiddle(playerLink(page, '2'))
      const press = () => (browser === PHONE ? page.touchscreen.tap(x, y) : page.mouse.click(x, y))
      const url = page.url()
      await pressAtChange(page, () => moderate(ban('4')), isShown(playerLink(page, '4')), press)
      await expectSettled(async () => page.url(), url)
      await playerLink(page, '3').click()
      await waitForHeading(page, 'Player3 3')
    },
  )

  test('is opened at once by keyboard', async () => {
    const { session, toPath, moderate } = await createBans(3)
    const { page } = await e2e.openScreen(toPath('/bans'), { session, browser: DESKTOP })
    await playerLink(page, '2').focus()
    await pressAtChange(
      page,
      () => moderate(ban('4')),
      isShown(playerLink(page, '4')),
      () => page.keyboard.press('Enter'),
    )
    await waitForHeading(page, 'Player2 2')
  })

  test('is not selected by a tap on the checkbox that was there', async () => {
    const { session, toPath, moderate } = await createBans(5)
    const { page } = await e2e.openScreen(toPath('/bans'), { session, browser: LONG_PHONE })
    await pressButton(page, 'Select cases')
    for (const caseNumber of [2, 4]) await checkbox(page, caseNumber).tap()
    await page.getByRole('button', { name: 'Act on 2 cases…' }).waitFor()
    const { x, y } = await findMiddle(checkbox(page, 3))
    await pressAtChange(
      page,
      () => moderate(ban('6')),
      isShown(checkbox(page, 6)),
      () => page.touchscreen.tap(x, y),
    )
    await expectSettled(() => page.getByRole('checkbox', { checked: true }).count(), 2)
    expect(await checkbox(page, 4).isChecked()).toBe(true)
  })

  test('is not decided by a tap on the Approve button that was there', async () => {
    const { page, moderate, approve } = await openApprovals()
    const { x, y } = await findMiddle(approve(1))
    const lift = () => moderate({ action: 'unban', userId: '1', reason: 'Appeal' })
    await pressAtChange(page, lift, isGone(approve(1)), () => page.touchscreen.tap(x, y))
    await expectSettled(() => openDialog(page).count(), 0)
    await approve(3).click()
    await openDialog(page).getByText('case 3').first().waitFor()
  })
})

describe('a row reacts at once', () => {
  test('if a live update has not moved it on the screen', async () => {
    const { session, toPath, moderate } = await createBans(3)
    const { page } = await e2e.openScreen(toPath('/bans'), { session, browser: PHONE })
    const { x, y } = await findMiddle(playerLink(page, '3'))
    const lift = () => moderate({ action: 'unban', userId: '2', reason: 'Appeal' })
    await pressAtChange(page, lift, isGone(playerLink(page, '2')), () => page.touchscreen.tap(x, y))
    await waitForHeading(page, 'Player3 3')
  })

  test('if the user’s own change has moved it', async () => {
    const { page, approve } = await openApprovals()
    // The live stream tells of the same change, and what is read because of it moves rows as any live update does.
    await page.route(/\/portal\/api\/live\?/, () => {})
    await page.reload()
    await approve(3).waitFor()
    const below = await findMiddle(approve(1))
    await approve(1).tap()
    const confirm = openDialog(page).getByRole('button', { name: 'Approve' })
    await pressAtChange(
      page,
      () => confirm.tap(),
      async () => (await approve(1).count()) + (await openDialog(page).count()) === 0,
      () => page.touchscreen.tap(below.x, below.y),
    )
    await openDialog(page).getByText('case 2').first().waitFor()
  })
})
