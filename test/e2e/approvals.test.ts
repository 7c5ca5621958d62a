import { expect, test } from 'bun:test'
import { useSession } from '../support/e2e-session.ts'
import { activeSanctions, chooseOption, openDialog, openModerationSession } from '../support/moderation.ts'
import {
  chooseMenuItem,
  DESKTOP,
  expectFitsWindow,
  expectSettled,
  fillIn,
  pressButton,
  waitForHeading,
} from '../support/page-actions.ts'
import { expectNoPageErrors } from '../support/page-errors.ts'

const e2e = useSession(openModerationSession)

/** A phone as wide as most. */
const NARROW = { viewport: { width: 390, height: 844 }, hasTouch: true }

test('limits are set, shown before an action, and a permanent ban waits for another person, who decides it', async () => {
  const workspace = await e2e.createModerationWorkspace()
  const { workspaceId, toPath, session, listRecords } = workspace
  const moderator = await workspace.createMember('moderation.view', 'moderation.ban', 'moderation.mute')
  const lead = await workspace.createMember('moderation.view', 'moderation.approve')
  const roles: { name: string; permissions: string }[] = (
    await e2e.readAsOwner('/portal/api/roles', {}, workspaceId)
  ).roles
  const limited = roles.find(
    ({ permissions }) => permissions.includes('moderation.mute') && permissions.length < 100,
  )
  if (!limited) throw new Error('the role of the moderator is missing')

  // The owner limits the role.
  const owner = await e2e.openScreen(`/w/${workspaceId}/roles`, {
    session,
    heading: 'Roles',
    browser: DESKTOP,
  })
  await chooseMenuItem(owner.page, `Actions for ${limited.name}`, 'Limits')
  await owner.page.getByLabel('Longest mute').selectOption({ label: '1 day' })
  await openDialog(owner.page)
    .getByRole('checkbox', { name: /Permanent bans need the approval/ })
    .check()
  await fillIn(owner.page, { 'Bans per hour': '1001' })
  await pressButton(owner.page, 'Save limits')
  await openDialog(owner.page).getByText('must be').first().waitFor()
  await fillIn(owner.page, { 'Bans per hour': '5' })
  await openDialog(owner.page)
    .getByText('members can do at most: permanent bans with approval, 5 bans per hour, mutes up to 1 day.')
    .waitFor()
  await pressButton(owner.page, 'Save limits')
  await owner.page
    .getByText('Limits: permanent bans with approval, 5 bans per hour, mutes up to 1 day')
    .waitFor()

  // The moderator sees the limits, and requests a permanent ban on a phone.
  const phone = await e2e.openScreen(toPath('/players/261'), {
    session: moderator.session,
    heading: '261',
    browser: NARROW,
  })
  await phone.page.getByRole('button', { name: 'Mute', exact: true }).click()
  const dialog = openDialog(phone.page)
  await dialog.getByText('Limits of your roles: mutes up to 1 day.').waitFor()
  await chooseOption(phone.page, '3 days')
  await dialog.getByText('The longest mute that your roles allow is 1 day.').waitFor()
  expect(await dialog.getByRole('button', { name: 'Mute 261' }).isDisabled()).toBe(true)
  await chooseOption(phone.page, 'Ban')
  await dialog.getByText('You have used 0 of 5 in the last hour.').waitFor()
  await chooseOption(phone.page, 'Permanent')
  await dialog.getByText('asks another person to approve').waitFor()
  await expectFitsWindow(phone.page)
  await fillIn(phone.page, { Reason: 'Exploiting' })
  await pressButton(phone.page, 'Ban 261')
  await dialog.waitFor({ state: 'detached' })
  const [record] = await listRecords('261')
  expect(record.durationSeconds).toBe('86400')
  await phone.page
    .getByText(/^Banned 261 until .+ The permanent ban waits for approval\. Case 1\.$/)
    .waitFor()
  await activeSanctions(phone.page).getByText('Waits for approval').waitFor()
  const history = phone.page.getByRole('list', { name: 'History' })
  await history.getByText('Waits for approval').waitFor()
  expect(await history.getByText('Active', { exact: true }).count()).toBe(0)
  for (const [path, list] of [
    ['/bans', 'Active bans'],
    ['/records', 'All cases'],
    ['', 'Latest cases'],
    ['?q=261', 'Players found'],
  ] as const) {
    await phone.page.goto(new URL(toPath(path), phone.page.url()).href)
    await phone.page.getByRole('list', { name: list }).getByText('Waits for approval').waitFor()
  }
  expect(phone.page.url()).toContain('q=261')
  await expectFitsWindow(phone.page)
  await phone.page.goto(new URL(toPath(`/cases/${record.id}`), phone.page.url()).href)
  await phone.page.getByRole('heading', { name: 'Approval' }).waitFor()
  await phone.page.getByText('Somebody with the permission to approve bans has to decide.').waitFor()
  expect(await phone.page.getByRole('button', { name: 'Approve' }).count()).toBe(0)
  await expectFitsWindow(phone.page)

  // Another person finds it in the inbox: the case says what waits, with the decision on the first screen.
  const tab = await e2e.openScreen(`/w/${workspaceId}/inbox`, {
    session: lead.session,
    heading: 'Inbox',
    browser: NARROW,
  })
  await tab.page.getByRole('link', { name: /^Approvals/ }).click()
  await tab.page.getByText(/^Permanent ban requested\. The temporary ban ends tomorrow .+ left\.$/).waitFor()
  await tab.page.getByRole('link', { name: 'Case 1, 261' }).click()
  await waitForHeading(tab.page, 'Case 1: ban')
  await tab.page.getByText('Waits for approval').waitFor()
  const approve = tab.page.getByRole('region', { name: 'Approval' }).getByRole('button', { name: 'Approve' })
  await approve.waitFor()
  const bar = await tab.page.getByRole('navigation', { name: 'Main sections' }).boundingBox()
  const box = await approve.boundingBox()
  expect((box?.y ?? Number.NaN) + (box?.height ?? 0)).toBeLessThan(bar?.y ?? 0)
  await expectFitsWindow(tab.page)

  // The list of all requests has the decision as well.
  await tab.page.goto(new URL(toPath('/approvals'), tab.page.url()).href)
  await tab.page.getByText(`${moderator.name} requested a permanent ban.`).waitFor()
  await expectFitsWindow(tab.page)
  await pressButton(tab.page, 'Approve')
  await openDialog(tab.page)
    .getByText('261 stays banned permanently, until somebody lifts the ban.')
    .waitFor()
  await pressButton(tab.page, 'Approve the ban')
  await tab.page.getByText('Nothing waits for approval').waitFor()
  await expectSettled(async () => (await listRecords('261'))[0].expiresAt, null)
  // The page of the moderator follows.
  await phone.page.getByText(`${lead.name} approved the permanent ban`).waitFor()
  for (const opened of [owner, phone, tab]) await expectNoPageErrors(opened)
  for (const { pageErrors } of [phone, tab]) expect(pageErrors).toEqual([])
}, 120_000)
