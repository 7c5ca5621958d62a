import { expect, test } from 'bun:test'
import { useSession } from '../support/e2e-session.ts'
import {
  activeSanctions,
  chooseOption,
  openDialog,
  openModerationSession,
  TEST_PLAYER,
} from '../support/moderation.ts'
import { PHONE, pressButton, waitForHeading } from '../support/page-actions.ts'
import { expectNoPageErrors } from '../support/page-errors.ts'

const e2e = useSession(openModerationSession)

/** A banned player; `appeal` submits an appeal. */
async function openBannedPlayer() {
  const workspace = await e2e.createModerationWorkspace()
  const { workspaceId, session } = workspace
  const ban = await workspace.moderate({ action: 'ban', ...TEST_PLAYER, reason: 'Exploiting' })
  const appeal = () =>
    e2e.server.requestOk('POST', '/api/appeals', {
      session,
      body: { workspaceId, code: ban.appealCode, message: 'It was my brother.' },
    })
  return { ...workspace, ban, appeal }
}

test('the player and the case say that an appeal is open and lead to it, and the dialogs that end the ban say that it ends', async () => {
  const { session, toPath, ban, appeal } = await openBannedPlayer()
  const path = toPath(`/players/${TEST_PLAYER.userId}`)
  const tab = await e2e.openScreen(path, { session, browser: PHONE })
  const { page } = tab
  await activeSanctions(page).getByText('Banned permanently').waitFor()
  expect(await page.getByText('Appeal open').count()).toBe(0)
  await appeal()
  await activeSanctions(page).getByRole('link', { name: 'Appeal open' }).waitFor()

  await pressButton(page, 'Lift the ban')
  await openDialog(page).getByText('The open appeal ends.').waitFor()
  await pressButton(page, 'Cancel')
  await page.getByRole('button', { name: 'Ban', exact: true }).click()
  await chooseOption(page, '1 day')
  await openDialog(page).getByText('The open appeal of the replaced ban ends.').waitFor()
  await openDialog(page).getByText('Appeal open').waitFor()
  await chooseOption(page, 'Mute')
  await openDialog(page).getByText('The open appeal of the replaced ban ends.').waitFor({ state: 'detached' })
  await pressButton(page, 'Cancel')

  await page.goto(page.url().replace(/\/players\/.*/, `/cases/${ban.id}`))
  await page.getByRole('link', { name: 'Appeal open' }).waitFor()
  await pressButton(page, 'Lift the ban')
  await openDialog(page).getByText('The open appeal ends.').waitFor()
  await pressButton(page, 'Cancel')
  await pressButton(page, 'Revoke')
  await openDialog(page).getByText('The open appeal ends.').waitFor()
  await pressButton(page, 'Cancel')
  await page.getByRole('link', { name: 'Appeal open' }).click()
  await waitForHeading(page, `Appeal of ${TEST_PLAYER.userUsername}`)
  await expectNoPageErrors(tab)
})

test('who may not view appeals learns of none', async () => {
  const { toPath, appeal, createMember } = await openBannedPlayer()
  await appeal()
  const { session } = await createMember('moderation.view', 'moderation.unban')
  const tab = await e2e.openScreen(toPath(`/players/${TEST_PLAYER.userId}`), { session })
  const { page } = tab
  await pressButton(page, 'Lift the ban')
  await openDialog(page).getByText('can join again immediately.').waitFor()
  expect(await page.getByText(/appeal (open|ends)/i).count()).toBe(0)
  await pressButton(page, 'Cancel')
  await expectNoPageErrors(tab)
})
