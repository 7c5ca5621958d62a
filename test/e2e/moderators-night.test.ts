import { expect, test } from 'bun:test'
import { join } from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { openBan, submitAppeal } from '../support/appeal-page.ts'
import { findAxeViolations } from '../support/axe.ts'
import { settlePages, type Tab } from '../support/browser.ts'
import { useSession } from '../support/e2e-session.ts'
import { activeSanctions, openDialog, openModerationSession, TEST_PLAYER } from '../support/moderation.ts'
import {
  DESKTOP,
  expectFitsWindow,
  expectSettled,
  fillIn,
  pressButton,
  reloadAndFollow,
  TOUCH_PHONE,
  WAIT_MS,
  waitForHeading,
} from '../support/page-actions.ts'
import { expectNoPageErrors } from '../support/page-errors.ts'
import { limitRole } from '../support/role-limits.ts'
import { waitForIdle } from '../support/screen-states.ts'

const e2e = useSession(openModerationSession)

/** Where to save a screenshot of each step, to look at. */
const screenshotFolder = process.env.REEVE_NIGHT_SCREENSHOTS

const SIZES = [
  { name: 'phone', browser: TOUCH_PHONE },
  { name: 'desktop', browser: DESKTOP },
] as const

const PUBLIC_REASON = 'You used a program that changes the game.'
const INTERNAL_REASON = 'Flew over the wall on server 4'
const RAIDED = ['901', '902', '903']

/** Expects a step to fit its window and to be accessible. */
async function look({ page }: Pick<Tab, 'page'>, step: string): Promise<void> {
  await waitForIdle(page)
  await expectFitsWindow(page)
  expect({ step, violations: await findAxeViolations(page) }).toEqual({ step, violations: [] })
  if (screenshotFolder === undefined) return
  const path = join(screenshotFolder, `${step}-${page.viewportSize()?.width}.png`)
  await page.screenshot({ path, fullPage: (await openDialog(page).count()) === 0 })
}

/** A workspace with staff, templates and the keys of two programs. */
async function prepareNight(browser: BrowserContextOptions) {
  const workspace = await e2e.createModerationWorkspace()
  const { workspaceId, session, createMember } = workspace
  const post = (path: string, body: object) => e2e.requestAsOwner('POST', path, body, workspaceId)
  const moderator = await createMember(
    ...(['moderation.view', 'moderation.note', 'moderation.warn', 'moderation.ban', 'members.view'] as const),
  )
  const lead = await createMember(
    ...(['moderation.view', 'moderation.note', 'moderation.approve', 'members.view'] as const),
    ...(['appeals.view', 'appeals.decide'] as const),
    ...(['moderation.bulk', 'moderation.revoke', 'moderation.unban'] as const),
  )
  await limitRole(e2e.server, { workspaceId, session }, `Role of ${moderator.name}`, {
    permanentBansNeedApproval: 'true',
  })
  const steps = JSON.stringify([
    { count: 1, action: 'warn' },
    { count: 2, action: 'ban' },
  ])
  const { ladder } = await post('/api/moderation/ladders', { name: 'Cheating', steps })
  await post('/api/moderation/templates', {
    name: 'Spamming',
    publicReason: 'You sent the same message often.',
  })
  const exploiting = { name: 'Exploiting', publicReason: PUBLIC_REASON, ladderId: ladder.id }
  const { template } = await post('/api/moderation/templates', exploiting)
  await workspace.moderate({ ...TEST_PLAYER, templateId: template.id })
  const createKey = async (name: string, permissions: string) =>
    String((await post('/portal/api/api-keys', { name, permissions })).secret)
  const [gameKey, leakedKey] = [
    await createKey('Game server', 'moderation.view,moderation.note'),
    await createKey('Old bot', 'moderation.ban'),
  ]
  return {
    ...workspace,
    moderator,
    lead,
    /** Sends a request of a program. @returns the body of the response */
    async sendWithKey(key: string, path: string, body: object) {
      const response = await e2e.server.requestWithKey(key, path, { workspaceId, ...body })
      expect(response.status).toBe(200)
      return response.body
    },
    gameKey,
    leakedKey,
    open: (path: string, opened: string, heading: string) =>
      e2e.openScreen(`/w/${workspaceId}${path}`, { session: opened, heading, browser }),
    openPublic: (javaScriptEnabled: boolean) =>
      e2e.openScreen('/appeal', {
        session: null,
        heading: 'Appeal a ban',
        browser: { ...browser, javaScriptEnabled },
      }),
  }
}

type Night = Awaited<ReturnType<typeof prepareNight>>

/** Lists what waits in the inbox of one kind. */
async function openInboxKind(page: Page, kind: RegExp): Promise<void> {
  await waitForHeading(page, 'Inbox')
  await page.getByRole('navigation', { name: 'Inbox', exact: true }).getByRole('link', { name: kind }).click()
}

/** Opens what waits in the inbox by its kind and its name. */
async function openFromInbox(page: Page, kind: RegExp, item: RegExp): Promise<void> {
  await openInboxKind(page, kind)
  await page.getByRole('link', { name: item }).click()
}

/** The game reports a player, the lead assigns the case, and the moderator opens it from the inbox and bans with a template. */
async function reportAndBan(night: Night): Promise<Tab> {
  const { workspaceId, moderator, lead, gameKey } = night
  const tab = await night.open('', moderator.session, 'Night Shift')
  const { page } = tab
  await reloadAndFollow(tab)
  const report = { action: 'note', ...TEST_PLAYER, reason: 'Reported by 3 players: flies' }
  const { record } = await night.sendWithKey(gameKey, '/api/moderation', report)
  const query = new URLSearchParams({ workspaceId, q: moderator.name })
  const { body } = await e2e.server.requestOk('GET', `/portal/api/assignees?${query}`, lead)
  await e2e.server.requestOk('POST', '/portal/api/assignments', {
    session: lead.session,
    body: { workspaceId, recordId: record.id, accountId: body.members[0].accountId },
  })
  await page.getByRole('link', { name: /^Inbox\s*1 waiting$/ }).click()
  await page.getByRole('link', { name: 'Case 2, StormRider' }).waitFor()
  await look(tab, '1-inbox')
  await openFromInbox(page, /^Assigned to me/, /^Case 2, StormRider \d+$/)
  await pressButton(page, 'Work on it')
  await page.getByText(/^You work on this case until/).waitFor()
  await look(tab, '2-report')

  await page.getByRole('link', { name: /^Player .*261/ }).click()
  await waitForHeading(page, 'StormRider 261')
  // The keys of templates do something once these are loaded.
  await settlePages(WAIT_MS)
  await page.keyboard.press('2')
  const outcome = page.getByRole('region', { name: 'What the template leads to' })
  await outcome.getByText('Permanent ban: step 2 of 2 of the ladder “Cheating”').waitFor()
  await outcome.getByText('1 earlier case counts:').waitFor()
  await outcome.getByText(`The player reads: ${PUBLIC_REASON}`).waitFor()
  await openDialog(page).getByText('asks another person to approve the ban').waitFor()
  await fillIn(page, { Reason: INTERNAL_REASON })
  await look(tab, '3-template')
  await pressButton(page, 'Ban 261')
  await openDialog(page).waitFor({ state: 'detached' })
  await activeSanctions(page).getByText(/left/).waitFor()
  await page
    .getByRole('link', { name: /Case 2/ })
    .first()
    .click()
  await pressButton(page, 'Done')
  await page.getByText('Not assigned.').waitFor()
  await page.getByRole('link', { name: /^Player .*261/ }).click()
  return tab
}

/** A second moderator approves the ban from the inbox, which the page of the first one shows. */
async function approve(night: Night, moderatorTab: Tab): Promise<Tab> {
  const tab = await night.open('/inbox', night.lead.session, 'Inbox')
  const { page } = tab
  await openFromInbox(page, /^Approvals/, /^Case 3, StormRider \d+$/)
  await page.getByText(`${night.moderator.name} requested a permanent ban.`).waitFor()
  await look(tab, '4-approvals')
  await pressButton(page, 'Approve')
  await openDialog(page).getByText('stays banned permanently, until somebody lifts the ban.').waitFor()
  await look(tab, '5-approve')
  await pressButton(page, 'Approve the ban')
  await page.getByText(`approved the permanent ban that ${night.moderator.name} requested`).waitFor()
  await page.getByRole('link', { name: 'Inbox', exact: true }).waitFor()
  await activeSanctions(moderatorTab.page).getByText('Banned permanently').waitFor()
  return tab
}

/** The player appeals without JavaScript, with the code that the game shows. @returns the page in a browser with JavaScript */
async function appeal(night: Night): Promise<Tab> {
  const { bans } = await night.sendWithKey(night.gameKey, '/api/moderation/check', { userIds: '261' })
  const [{ message }] = bans
  expect(message).toStartWith(`You are banned permanently. Reason: ${PUBLIC_REASON}`)
  const code = message.slice(-11)
  const [plain, modern] = [await night.openPublic(false), await night.openPublic(true)]
  await look(modern, '6-code')
  await openBan(plain.page, code)
  await plain.page.getByText(PUBLIC_REASON).waitFor()
  await expectFitsWindow(plain.page)
  await submitAppeal(plain.page, 'My brother played on my account.')
  expect(plain.pageErrors).toEqual([])
  await plain.close()
  await openBan(modern.page, code)
  await modern.page.getByText('My brother played on my account.').waitFor()
  await look(modern, '7-appeal')
  return modern
}

/** The lead reads the appeal in the inbox and shortens the ban, which the player reads. */
async function decide(night: Night, { page }: Tab, player: Tab): Promise<void> {
  await page.goto(`${e2e.server.origin}/w/${night.workspaceId}/inbox`)
  await openInboxKind(page, /^Appeals/)
  await page.getByRole('region', { name: 'Appeals' }).getByText('My brother played on my account.').waitFor()
  await openFromInbox(page, /^Appeals/, /^Case 3, StormRider \d+$/)
  await waitForHeading(page, 'Appeal of StormRider')
  await pressButton(page, 'Claim for 15 minutes')
  await page.getByText('You work on it until').waitFor()
  await page.getByLabel('Shorten the ban').check()
  await page.getByLabel('The ban ends').selectOption('7')
  await page.getByText(/: The ban is shortened\. It ends on/).waitFor()
  await fillIn(page, { 'Message to the player (optional)': 'Protect your account.' })
  await look({ page }, '8-decide')
  await page.getByRole('button', { name: /^Shorten the ban of \d+$/ }).click()
  await page.getByText(`Decided by ${night.lead.name}`).waitFor()
  await player.page.reload()
  await player.page.getByText('Your ban was shortened.').waitFor()
  await player.page.getByText('Protect your account.').waitFor()
  await look(player, '9-decision')
  const text = await player.page.content()
  for (const secret of [INTERNAL_REASON, night.moderator.name, night.lead.name])
    expect(text).not.toContain(secret)
}

/** The leaked key of a program bans players, and the lead undoes everything that it did. */
async function undoRaid(night: Night, { page }: Tab): Promise<void> {
  const [record] = await Promise.all(
    RAIDED.map(async (userId) => {
      const body = { action: 'ban', userId, reason: 'Pwned' }
      return (await night.sendWithKey(night.leakedKey, '/api/moderation', body)).record
    }),
  )
  await page.goto(`${e2e.server.origin}${night.toPath(`/records?actorId=${record.actorUserId}`)}`)
  await pressButton(page, 'Undo what they did…')
  await waitForHeading(page, 'Batches')
  // In the time zone of the browser, which is that of this process.
  const before = new Date(Date.now() - 60_000 * (1 + new Date().getTimezoneOffset()))
  await fillIn(page, { Since: before.toISOString().slice(0, 16), Reason: 'The key has leaked' })
  await pressButton(page, 'Preview')
  await page.getByText('3 targets: 3 will change').waitFor()
  await look({ page }, '10-undo')
  expect(await listBanned(night)).toEqual(['261', ...RAIDED])
  await pressButton(page, 'Start: 3 targets')
  await page.getByText('Finished: 3 changed').waitFor()
  await page.getByRole('button', { name: 'Reverse…' }).waitFor()
  await look({ page }, '11-undone')
  await expectSettled(() => listBanned(night), ['261'])
}

const listBanned = async ({ sendWithKey, gameKey }: Night): Promise<string[]> => {
  const userIds = ['261', ...RAIDED].join(',')
  const { bans } = await sendWithKey(gameKey, '/api/moderation/check', { userIds })
  return bans.map(({ userId }: { userId: string }) => userId).sort()
}

for (const { name, browser } of SIZES)
  test(`a moderator’s night on a ${name}: report, ban by template, approval, appeal, decision, and the undo of a raid`, async () => {
    const night = await prepareNight(browser)
    const moderatorTab = await reportAndBan(night)
    const leadTab = await approve(night, moderatorTab)
    const playerTab = await appeal(night)
    await decide(night, leadTab, playerTab)
    await undoRaid(night, leadTab)
    for (const tab of [moderatorTab, leadTab, playerTab]) await expectNoPageErrors(tab)
  }, 120_000)
