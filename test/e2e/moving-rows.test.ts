import { expect, test } from 'bun:test'
import { useSession } from '../support/e2e-session.ts'
import { openDialog, openModerationSession } from '../support/moderation.ts'
import { expectSettled, PHONE, pressButton, waitForHeading } from '../support/page-actions.ts'
import { limitRole } from '../support/role-limits.ts'
import { tapOnNextChange } from '../support/stray-tap.ts'

const e2e = useSession(openModerationSession)

const ban = (userId: string, userUsername: string) => ({
  action: 'ban',
  userId,
  userUsername,
  reason: 'Spam',
})

test.each([
  ['Active bans', '/bans'],
  ['Latest cases', ''],
])(
  'a tap on a row of “%s” that a live update has just moved opens no other row, and the keyboard opens it at once',
  async (label, path) => {
    const { session, toPath, moderate } = await e2e.createModerationWorkspace()
    await moderate(ban('1', 'Alice'))
    await moderate(ban('2', 'Bob'))
    const { page } = await e2e.openScreen(toPath(path), { session, browser: PHONE })
    const bob = page.getByRole('link', { name: /Bob/ })
    await bob.waitFor()
    await bob.focus()
    const waitForTap = await tapOnNextChange(page, page.getByRole('list', { name: label }), bob)
    const url = page.url()
    await moderate(ban('3', 'Cleo'))
    await waitForTap()
    await expectSettled(async () => page.url(), url)
    await page.keyboard.press('Enter')
    await waitForHeading(page, 'Bob 2')
  },
)

test('a row that stays in place while others are added above the visible part reacts', async () => {
  const { session, toPath, moderate } = await e2e.createModerationWorkspace()
  const playerIds = Array.from({ length: 20 }, (_, index) => String(index + 1))
  for (const userId of playerIds) await moderate(ban(userId, `Player${userId}`))
  const { page } = await e2e.openScreen(toPath('/bans'), { session, browser: PHONE })
  const row = page.getByRole('link', { name: /Player5\b/ })
  await row.scrollIntoViewIfNeeded()
  const list = page.getByRole('list', { name: 'Active bans' })
  const waitForTap = await tapOnNextChange(page, list, row, true)
  await moderate(ban('21', 'Player21'))
  await waitForTap()
  await waitForHeading(page, 'Player5 5')
})

test('a tap on the checkbox of a case selects no other case that has just moved there, and cases are selected quickly', async () => {
  const { session, toPath, moderate } = await e2e.createModerationWorkspace()
  for (const userId of ['1', '2', '3', '4', '5']) await moderate(ban(userId, `Player${userId}`))
  const { page } = await e2e.openScreen(toPath('/bans'), { session, browser: PHONE })
  await pressButton(page, 'Select cases')
  const checkbox = (caseNumber: number) => page.getByRole('checkbox', { name: `Select case ${caseNumber}` })
  const list = page.getByRole('list', { name: 'Active bans' })
  await page.evaluate('scrollTo(0, 400)')
  for (const caseNumber of [2, 4]) await checkbox(caseNumber).tap()
  await page.getByRole('button', { name: 'Act on 2 cases…' }).waitFor()
  const waitForTap = await tapOnNextChange(page, list, checkbox(3))
  await moderate(ban('6', 'Player6'))
  await waitForTap()
  await checkbox(6).waitFor()
  expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(2)
  expect(await checkbox(4).isChecked()).toBe(true)
})

test('a tap on Approve decides no other case that has just moved there', async () => {
  const { session, toPath, moderate, createMember, workspaceId } = await e2e.createModerationWorkspace()
  const kim = await createMember('moderation.view', 'moderation.ban', 'moderation.unban')
  const limits = { permanentBansNeedApproval: 'true' }
  await limitRole(e2e.server, { workspaceId, session }, `Role of ${kim.name}`, limits)
  for (const userId of ['1', '2', '3']) await moderate(ban(userId, `Player${userId}`), kim.session)
  const { page } = await e2e.openScreen(toPath('/approvals'), { session, browser: PHONE })
  const choices = (caseNumber: number) => page.getByRole('group', { name: `Decide case ${caseNumber}` })
  const approve = (caseNumber: number) => choices(caseNumber).getByRole('button', { name: 'Approve' })
  await approve(3).waitFor()
  const list = page.getByRole('list', { name: 'Requests for approval' })
  const waitForTap = await tapOnNextChange(page, list, approve(1))
  await moderate({ action: 'unban', userId: '1', reason: 'Appeal' })
  await waitForTap()
  await choices(1).waitFor({ state: 'detached' })
  await expectSettled(() => openDialog(page).count(), 0)
  await approve(3).press('Enter')
  await openDialog(page).getByText('case 3').first().waitFor()
})
