import { expect, test } from 'bun:test'
import { useSession } from '../support/e2e-session.ts'
import { composeText } from '../support/input-method.ts'
import { chooseOption, openDialog, openModerationSession, TEST_PLAYER } from '../support/moderation.ts'
import { DESKTOP, fillIn, pressButton, TOUCH_PHONE } from '../support/page-actions.ts'
import { expectNoPageErrors } from '../support/page-errors.ts'

const e2e = useSession(openModerationSession)

test('on a phone, the buttons of a case stay in place when it is known who works on it', async () => {
  const { session, toPath, moderate } = await e2e.createModerationWorkspace()
  const { id } = await moderate({ action: 'note', ...TEST_PLAYER, reason: 'Flies' })
  const path = toPath(`/cases/${id}`)
  const { page } = await e2e.openScreen(path, { session, heading: 'Case 1: note', browser: TOUCH_PHONE })
  const requested = Promise.withResolvers<() => void>()
  await page.route('**/portal/api/case-work?*', (route) => requested.resolve(() => void route.continue()))
  await page.reload()
  const edit = page.getByRole('button', { name: 'Edit', exact: true })
  await page.getByText('Not pinned to the player.').waitFor()
  const release = await requested.promise
  const before = await edit.boundingBox()
  release()
  await page.getByRole('button', { name: 'Assign', exact: true }).waitFor()
  expect(await edit.boundingBox()).toEqual(before)
})

test('a report by an API key is claimed, assigned, discussed and found in the inbox, live and on a phone', async () => {
  const { session, workspaceId, toPath, createMember } = await e2e.createModerationWorkspace()
  const { secret } = await e2e.requestAsOwner(
    'POST',
    '/portal/api/api-keys',
    { name: 'Game server', permissions: 'moderation.note' },
    workspaceId,
  )
  const reported = await fetch(`${e2e.server.origin}/api/moderation`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      workspaceId,
      action: 'note',
      ...TEST_PLAYER,
      reason: 'Flies',
      actorPlatformUserId: '99',
    }),
  })
  const { record } = (await reported.json()) as { record: { id: string } }
  const kim = await createMember('moderation.view', 'moderation.note', 'members.view')

  const tab = await e2e.openScreen(toPath(`/cases/${record.id}`), {
    session,
    heading: 'Case 1: note',
    browser: DESKTOP,
  })
  const { page } = tab
  const phone = await e2e.openScreen(toPath(`/cases/${record.id}`), {
    session: kim.session,
    heading: 'Case 1: note',
    browser: TOUCH_PHONE,
  })
  // The claim of one is shown to the other at once, who cannot take it.
  await pressButton(page, 'Work on it')
  await page.getByText(/^You work on this case until/).waitFor()
  await phone.page.getByText(/works on this case until/).waitFor()
  expect(await phone.page.getByRole('button', { name: 'Work on it' }).count()).toBe(0)
  await pressButton(page, 'Release')
  await phone.page.getByRole('button', { name: 'Work on it' }).waitFor()

  await page.getByRole('button', { name: 'Assign', exact: true }).click()
  await openDialog(page).getByRole('textbox', { name: 'Member', exact: true }).fill(kim.name)
  await openDialog(page).getByRole('button', { name: kim.name }).click()
  await page.getByText(`Assigned to ${kim.name}.`).waitFor()
  await phone.page.getByText('Assigned to you.').waitFor()
  // The dialog gives the focus back while it closes.
  await openDialog(page).waitFor({ state: 'detached' })

  // The name is completed by the keyboard, and stored as the member.
  await page.getByLabel('New comment').pressSequentially(`Ask @${kim.name.slice(0, 2)}`)
  await page.getByRole('option', { name: kim.name }).waitFor()
  await page.keyboard.press('Enter')
  await page.keyboard.type('please')
  // Kim, who reads the case, has read the mention as soon as it is there.
  const hasRead = phone.page.waitForResponse('**/portal/api/inbox/mentions')
  await pressButton(page, 'Add comment')
  await page.getByRole('list', { name: 'Comments' }).getByText(`Ask @${kim.name} please`).waitFor()
  await page.getByRole('table').getByText(`Ask @${kim.name} please`).waitFor()
  await hasRead

  await phone.page.getByRole('link', { name: /^Inbox/ }).click()
  await phone.page.getByRole('link', { name: 'Case 1, StormRider' }).waitFor()
  await phone.page.getByRole('link', { name: /^Mentions/ }).click()
  const mentions = phone.page.getByRole('list', { name: 'Mentions' })
  await mentions.getByText(`Ask @${kim.name} please`).waitFor()
  await pressButton(phone.page, 'Mark as unread: case 1')
  await mentions.getByText('Unread').waitFor()
  await phone.page.getByRole('link', { name: /^Inbox\s*2 waiting$/ }).waitFor()
  await pressButton(phone.page, 'Mark as read: case 1')
  await phone.page.getByRole('link', { name: /^Inbox\s*1 waiting$/ }).waitFor()
  await pressButton(page, 'Unassign')
  await phone.page.getByRole('link', { name: 'Inbox', exact: true }).waitFor()
  await expectNoPageErrors(tab)
  await expectNoPageErrors(phone)
}, 60_000)

test('pinned notes come first on the page of a player and in the action dialog, and links are on both pages', async () => {
  const { session, toPath, moderate } = await e2e.createModerationWorkspace()
  await moderate({ action: 'ban', ...TEST_PLAYER, reason: 'Exploiting' })
  const tab = await e2e.openScreen(toPath('/players/300'), { session, heading: '300', browser: DESKTOP })
  const { page } = tab
  await pressButton(page, 'Pin a note')
  await fillIn(page, { Note: 'Talk to Robin first.' })
  await openDialog(page).getByRole('button', { name: 'Pin note' }).click()
  await page.getByRole('region', { name: 'Pinned notes' }).getByText('Talk to Robin first.').waitFor()
  await openDialog(page).waitFor({ state: 'detached' })
  await pressButton(page, 'Link a player')
  await fillIn(page, { 'Player ID': '261', Reason: 'Same voice' })
  await chooseOption(page, 'High')
  await openDialog(page).getByRole('button', { name: 'Link players' }).click()
  const links = page.getByRole('list', { name: 'Linked players' })
  await links.getByText('Banned permanently · Case 1: Exploiting').waitFor()
  await links.getByText('Same voice').waitFor()
  await openDialog(page).waitFor({ state: 'detached' })
  await pressButton(page, 'Warn')
  await openDialog(page).getByText('Talk to Robin first.').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^Delete the link to .StormRider. \(261\)$/ }).click()
  await openDialog(page)
    .getByText(/^Delete the link between 300 and .StormRider. \(261\)\?$/)
    .waitFor()
  await pressButton(page, 'Cancel')
  await openDialog(page).waitFor({ state: 'detached' })
  await links.getByRole('link', { name: 'StormRider 261' }).click()
  await page.getByRole('list', { name: 'Linked players' }).getByRole('link', { name: '300' }).waitFor()
  await pressButton(page, 'Delete the link to 300')
  await openDialog(page).getByRole('button', { name: 'Delete link' }).click()
  await page.getByText('No links.').waitFor()
  await expectNoPageErrors(tab)
}, 60_000)

test('a link that a colleague has changed since it was opened is shown instead of overwritten', async () => {
  const { session, workspaceId, toPath } = await e2e.createModerationWorkspace()
  const post = (fields: object) => e2e.requestAsOwner('POST', '/api/moderation/links', fields, workspaceId)
  const fields = { userId: '261', linkedUserId: '300', confidence: 'low', reason: 'Same voice' }
  const { id } = (await post(fields)).link
  const { page } = await e2e.openScreen(toPath('/players/261'), { session, heading: '261' })
  await pressButton(page, 'Change the link to 300')
  await chooseOption(page, 'High')
  await post({ action: 'update', id, reason: 'Same address' })
  await pressButton(page, 'Change link')
  await page.getByText('Someone else changed this link while you were editing.').waitFor()
  await pressButton(page, 'Change link')
  await page.getByText('Changed the link.').waitFor()
  const links = page.getByRole('list', { name: 'Linked players' })
  await links.getByText('Same address').waitFor()
  await links.getByText('High').waitFor()
})

test('a text that goes on after @ stays as it was typed, however late the names of members arrive', async () => {
  const { session, toPath, createMember, moderate } = await e2e.createModerationWorkspace()
  const kim = await createMember('moderation.view')
  const { id } = await moderate({ action: 'note', ...TEST_PLAYER, reason: 'Flies' })
  const { page } = await e2e.openScreen(toPath(`/cases/${id}`), {
    session,
    heading: 'Case 1: note',
    browser: DESKTOP,
  })
  const comment = page.getByLabel('New comment')
  const mention = page.getByRole('option', { name: kim.name })
  for (const typed of ['@', `@${kim.name}`]) {
    await comment.pressSequentially(typed)
    await mention.waitFor()
    // What is typed from here on is faster than the server.
    await page.route('**/portal/api/assignees?*', () => {})
    await page.keyboard.type('veryone look')
    await page.keyboard.press('Enter')
    expect(await comment.inputValue()).toBe(`${typed}veryone look\n`)
    await page.unroute('**/portal/api/assignees?*')
    await comment.fill('')
  }
  // The Enter of an input method ends its composition.
  await comment.pressSequentially('@')
  await mention.waitFor()
  await composeText(page, kim.name)
  expect(await comment.inputValue()).toBe(`@${kim.name}`)
  await comment.fill('')
  // A name that is typed on is still offered.
  await comment.pressSequentially('@')
  await mention.waitFor()
  await page.route('**/portal/api/assignees?*', () => {})
  await page.keyboard.type(kim.name.slice(0, 3).toUpperCase())
  await page.keyboard.press('Enter')
  expect(await comment.inputValue()).toBe(`@${kim.name} `)
}, 60_000)
