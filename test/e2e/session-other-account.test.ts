import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import type { Tab } from '../support/browser.ts'
import { openE2eSessionPerTest, useSession } from '../support/e2e-session.ts'
import { PASSWORD } from '../support/instance.ts'
import { chooseOption, openDialog } from '../support/moderation.ts'
import { fillIn, pressButton, signIn, WAIT_MS } from '../support/page-actions.ts'
import { GROUP } from '../support/server.ts'

const e2e = useSession(openE2eSessionPerTest)

/** Hides a page or shows it again, as changing the tab does. */
const setVisibility = (page: Page, state: 'hidden' | 'visible'): Promise<void> =>
  page.evaluate((next) => {
    Object.defineProperty(document, 'visibilityState', { value: next, configurable: true })
    Object.defineProperty(document, 'hidden', { value: next === 'hidden', configurable: true })
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
  }, state)

/** Opens a player as the owner, types a ban and hides the tab. Kim may ban in the workspace, too. */
async function openHalfTypedBan() {
  const server = await e2e.startServer()
  const { session, workspaceId } = await server.setUp()
  const kim = await server.createMember({ workspaceId, session }, 'kim', [
    'moderation.view',
    'moderation.ban',
  ])
  const tab = await e2e.openScreen(`/w/${workspaceId}/moderation/players/261`, {
    session: await server.session(),
  })
  const { page } = tab
  await pressButton(page, 'Ban')
  await chooseOption(page, '1 hour')
  await fillIn(page, { Reason: 'Exploiting' })
  // A user who stays in the page because of its text would act as somebody else.
  page.on('dialog', (dialog) => dialog.dismiss())
  await setVisibility(page, 'hidden')
  const listRecords = async () =>
    (await server.requestOk('GET', `/api/moderation?workspaceId=${workspaceId}`, { session })).body.records
  return { server, session, workspaceId, kim, tab, page, listRecords }
}

test('a read of the user that never ends, as on a connection that is dead, delays a write by seconds', async () => {
  const { page, listRecords } = await openHalfTypedBan()
  let isDead = true
  await page.route('**/portal/api/me', async (route) => {
    if (!isDead) await route.continue()
  })
  await setVisibility(page, 'visible')
  await pressButton(page, 'Ban 261')
  await openDialog(page).locator('button[data-loading]').first().waitFor()
  isDead = false
  await openDialog(page).waitFor({ state: 'detached' })
  expect(await listRecords()).toHaveLength(1)
})

/** Opens an invitation in another tab of the same browser and signs out there. */
async function signOutInInvitation({ context }: Tab, { server, session, workspaceId }: Invitation) {
  const body = { workspaceId, note: 'Night shift' }
  const { token } = (await server.requestOk('POST', '/portal/api/invitations', { session, body })).body
  const page = await context.newPage()
  page.setDefaultTimeout(WAIT_MS)
  await page.goto(`${server.origin}/invitation#${token}`)
  await pressButton(page, 'Sign out and use another account')
  return page
}
type Invitation = Pick<Awaited<ReturnType<typeof openHalfTypedBan>>, 'server' | 'session' | 'workspaceId'>

const waitForUser = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name: RegExp(`^Signed in as ${name}`) }).waitFor()

describe('a hidden tab', () => {
  test('leaves the pages of an account that was replaced through an invitation', async () => {
    const { tab, page, listRecords, ...invitation } = await openHalfTypedBan()
    const other = await signOutInInvitation(tab, invitation)
    await page.getByText(/^You signed out in another tab\./).waitFor()
    await other.getByRole('radio', { name: 'I have an account' }).press('Space')
    await signIn(other, 'kim')
    await other.getByRole('button', { name: 'Join as kim' }).waitFor()
    await waitForUser(page, 'kim')
    expect(await openDialog(page).count()).toBe(0)
    expect(await listRecords()).toEqual([])
  })

  test('leaves the pages of an account that was replaced by a new one', async () => {
    const { tab, page, ...invitation } = await openHalfTypedBan()
    const other = await signOutInInvitation(tab, invitation)
    await fillIn(other, { Username: 'bittern', Password: PASSWORD })
    await pressButton(other, `Join ${GROUP}`)
    await waitForUser(other, 'bittern')
    await waitForUser(page, 'bittern')
    expect(await openDialog(page).count()).toBe(0)
  })

  test('that missed the sign-in of another account leaves its pages when it is shown', async () => {
    const { server, kim, tab, page } = await openHalfTypedBan()
    await tab.context.addCookies([server.cookie(kim)])
    await setVisibility(page, 'visible')
    await waitForUser(page, 'kim')
    expect(await openDialog(page).count()).toBe(0)
  })

  test('that missed the sign-in of another account sends nothing as that account, however fast', async () => {
    const { server, kim, tab, page, listRecords } = await openHalfTypedBan()
    await tab.context.addCookies([server.cookie(kim)])
    const { promise: isPressed, resolve: press } = Promise.withResolvers<void>()
    await page.route('**/portal/api/me', async (route) => {
      await isPressed
      await route.continue()
    })
    await setVisibility(page, 'visible')
    await pressButton(page, 'Ban 261')
    await openDialog(page).locator('button[data-loading]').first().waitFor()
    press()
    await waitForUser(page, 'kim')
    expect(await listRecords()).toEqual([])
  })
})
