import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { openE2eSession, useSession } from '../support/e2e-session.ts'
import { expectSettled, openInApp, pressButton, waitForHeading, waitUntil } from '../support/page-actions.ts'
import { expectNoPageErrors } from '../support/page-errors.ts'

const e2e = useSession(openE2eSession)

const TEXT = 'Half done'

interface Form {
  readonly name: string
  /** Where it is, and the heading of that screen. */
  readonly path: string
  readonly heading: string
  /** The button that opens its dialog; without one, it is a part of the page. */
  readonly opener?: string
  /** The label of a field. */
  readonly field: string
  /** What is typed there, if it is no sentence. */
  readonly typed?: string
}

const forms: readonly Form[] = [
  {
    name: 'template',
    path: '/configuration/reasons',
    heading: 'Reasons and ladders',
    opener: 'New template',
    field: 'What the player reads',
  },
  { name: 'invitation', path: '/people', heading: 'People', opener: 'Invite', field: 'Note' },
  {
    name: 'lift',
    path: '/moderation/players/261',
    heading: '261',
    opener: 'Lift the ban',
    field: 'Reason (optional)',
  },
  { name: 'batch', path: '/batches?new=action', heading: 'Batches', field: 'IDs of players' },
  { name: 'message', path: '/appeals/APPEAL', heading: 'Appeal of 261', field: 'Internal message' },
  {
    name: 'decision',
    path: '/appeals/APPEAL',
    heading: 'Appeal of 261',
    field: 'Message to the player (optional)',
  },
  {
    name: 'retention rules',
    path: '/configuration/retention',
    heading: 'Retention',
    field: 'Notes',
    typed: '30',
  },
  { name: 'import', path: '/configuration/import', heading: 'Import', field: 'Source' },
  { name: 'appeal settings', path: '/configuration/appeals', heading: 'Appeal form', field: 'Introduction' },
]

const question = (page: Page) => page.getByRole('dialog', { name: 'Discard changes?' })
const answer = async (page: Page, button: 'Keep editing' | 'Discard changes') => {
  await question(page).getByRole('button', { name: button }).click()
  await question(page).waitFor({ state: 'detached' })
}

let appealId: string | undefined

/** Bans a player, who appeals. @returns the ID of the appeal */
async function createAppeal(): Promise<string> {
  const { workspaceId, session } = e2e.owner
  // Who bans cannot decide.
  const moderator = await e2e.server.createMember({ workspaceId, session }, 'juno', ['moderation.ban'])
  const { record } = (
    await e2e.server.requestOk('POST', '/api/moderation', {
      session: moderator,
      body: { workspaceId, action: 'ban', userId: '261', reason: 'Exploiting' },
    })
  ).body
  const body = { code: record.appealCode, message: 'It was my brother.' }
  return (await e2e.requestAsOwner('POST', '/api/appeals', body)).appeal.id
}

/** Opens a screen with the home screen ahead of it in the history. */
async function openWithForward(path: string, heading: string): Promise<Page> {
  appealId ??= await createAppeal()
  const target = `/w/${e2e.owner.workspaceId}${path.replace('APPEAL', appealId)}`
  const { page } = await e2e.openScreen(target, { heading })
  await page.getByRole('link', { name: 'Home', exact: true }).first().click()
  await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor({ state: 'detached' })
  await page.evaluate('history.back()')
  await waitForHeading(page, heading)
  return page
}

test('a dialog that acts on a player closes with the page of the player', async () => {
  await e2e.requestAsOwner('POST', '/api/moderation', { action: 'ban', userId: '9261', reason: 'Exploiting' })
  const path = `/w/${e2e.owner.workspaceId}/moderation/players/9261`
  const tab = await e2e.openScreen(path, { heading: '9261' })
  const { page } = tab
  await pressButton(page, 'Lift the ban')
  await page.getByRole('dialog').waitFor()
  await openInApp(page, '/account')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await waitForHeading(page, 'Your account')
  await page.evaluate('history.back()')
  await waitForHeading(page, '9261')
  expect(await page.getByRole('dialog').count()).toBe(0)
  await expectNoPageErrors(tab)
})

test.each(forms)('the text of the form “$name” is not lost without a question', async (form) => {
  const { path, heading, opener, field, typed = TEXT } = form
  const page = await openWithForward(path, heading)
  if (opener !== undefined) await pressButton(page, opener)
  const text = page.getByLabel(field, { exact: true })
  await text.fill(typed)
  // What asks in pages is loaded when the first text is entered.
  await waitUntil(page, `!dispatchEvent(new Event('beforeunload', { cancelable: true }))`)
  const keep = async () => {
    await answer(page, 'Keep editing')
    await expectSettled(() => text.inputValue(), typed)
  }
  await page.evaluate('history.forward()')
  await keep()
  if (opener !== undefined) {
    await page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).click()
    await keep()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel', exact: true }).click()
    await keep()
    await page.keyboard.press('Escape')
  } else if (path.startsWith('/batches')) {
    await page.getByRole('tab', { name: 'All batches' }).click()
    await keep()
    await page.getByRole('tab', { name: 'All batches' }).click()
  } else await page.evaluate('history.forward()')
  await answer(page, 'Discard changes')
  await text.waitFor({ state: 'detached' })
  expect(await page.evaluate(`dispatchEvent(new Event('beforeunload', { cancelable: true }))`)).toBe(true)
})

test('a ban that is closed keeps its text, and leaving the page then asks', async () => {
  const page = await openWithForward('/moderation/players/262', '262')
  await pressButton(page, 'Ban')
  await page.getByRole('dialog').getByLabel('Reason', { exact: true }).fill(TEXT)
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.evaluate('history.forward()')
  await answer(page, 'Keep editing')
  await pressButton(page, 'Ban')
  await expectSettled(() => page.getByRole('dialog').getByLabel('Reason', { exact: true }).inputValue(), TEXT)
})

test('a form without typed text closes at once, and one that was saved does not ask', async () => {
  await e2e.requestAsOwner('POST', '/portal/api/roles', { name: 'Lamp', rank: '15' })
  const { page } = await e2e.openScreen(`/w/${e2e.owner.workspaceId}/roles`, { heading: 'Roles' })
  await pressButton(page, 'New role')
  for (const button of ['Close', 'Cancel']) {
    await page.getByRole('dialog').getByRole('button', { name: button, exact: true }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await pressButton(page, 'New role')
  }
  await page.getByLabel('Name', { exact: true }).fill('Anchor')
  await pressButton(page, 'Create role')
  await page.getByText('Created the role “Anchor”').waitFor()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await waitUntil(page, `location.search.includes('view=permissions')`)
})

test('what is typed while a message to a player is sent stays, and is internal', async () => {
  appealId ??= await createAppeal()
  const { page } = await e2e.openScreen(`/w/${e2e.owner.workspaceId}/appeals/${appealId}`, {
    heading: 'Appeal of 261',
  })
  const { promise: isSent, resolve } = Promise.withResolvers<void>()
  await page.route('**/portal/api/appeals/message', async (route) => {
    await isSent
    await route.continue()
  })
  await page.getByLabel('The player can read it').check()
  await page.getByLabel('Message to the player', { exact: true }).fill('Hello')
  await pressButton(page, 'Add message')
  await page.getByLabel('Message to the player', { exact: true }).fill('Their alt is 300')
  resolve()
  await expectSettled(() => page.getByLabel('The player can read it').isChecked(), false)
  expect(await page.getByLabel('Internal message', { exact: true }).inputValue()).toBe('Their alt is 300')
})

test('what is typed while a save is under way stays in the form, with the focus, and is saved next', async () => {
  const workspace = await e2e.createWorkspaceFixture()
  const { page } = await workspace.openScreen('/configuration/workspace', { heading: 'Workspace' })
  const { promise: typed, resolve: respond } = Promise.withResolvers<void>()
  const PATH = '**/portal/api/workspace'
  await page.route(PATH, async (route) => {
    const response = await route.fetch()
    await typed
    await route.fulfill({ response })
  })
  await page.getByLabel('Group name').fill('Owls')
  const sent = page.waitForRequest(PATH)
  await page.getByLabel('Group name').press('Enter')
  await sent
  await page.getByLabel('Time for approvals').fill('48')
  await page.getByLabel('Group name').press('End')
  await page.keyboard.type(' of')
  respond()
  await page.getByText('Saved the workspace Owls.').waitFor()
  await page.keyboard.type(' the night')
  await expectSettled(() => page.getByLabel('Group name').inputValue(), 'Owls of the night')
  expect(await page.getByLabel('Time for approvals').inputValue()).toBe('48')
  await page.getByLabel('Group name').press('Enter')
  await page.getByText('Saved the workspace Owls of the night.').waitFor()
  await page.reload()
  await expectSettled(() => page.getByLabel('Group name').inputValue(), 'Owls of the night')
  expect(await page.getByLabel('Time for approvals').inputValue()).toBe('48')
})
