import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { useSession } from '../support/e2e-session.ts'
import {
  activeSanctions,
  chooseOption,
  openDialog,
  openModerationSession,
  TEST_PLAYER,
} from '../support/moderation.ts'
import {
  ARCHIVED,
  expectBlocked,
  expectSettled,
  fillIn,
  pressButton,
  readField,
} from '../support/page-actions.ts'
import { expectNoPageErrors } from '../support/page-errors.ts'

const e2e = useSession(openModerationSession)

const createWorkspace = () => e2e.createModerationWorkspace()

/** The labels of the buttons in a group; empty if there is no such group. */
const buttonsOf = (page: Page, group: string) =>
  page.getByRole('group', { name: group }).getByRole('button').allTextContents()

describe('a user with', () => {
  test('moderation.view only sees everything and has no actions', async () => {
    const { workspaceId, toPath, moderate, createMember } = await createWorkspace()
    const { id } = await moderate({ action: 'ban', ...TEST_PLAYER, reason: 'Exploiting' })
    const { session } = await createMember('moderation.view')
    const tab = await e2e.openScreen(toPath('/players/261'), { session, heading: 'StormRider 261' })
    const { page } = tab
    await activeSanctions(page).getByText('Banned permanently').waitFor()
    await page.getByRole('list', { name: 'History' }).getByText('Exploiting').waitFor()
    await expectSettled(() => page.getByRole('main').getByRole('button').allTextContents(), [''])
    await page.getByRole('link', { name: 'Case 1' }).first().click()
    await page.getByRole('heading', { name: 'Case 1: ban' }).waitFor()
    await page.getByText('This case has never been changed.').waitFor()
    expect(await page.getByRole('main').getByRole('button').count()).toBe(0)
    expect(await page.getByRole('main').getByRole('textbox').count()).toBe(0)
    const { server } = e2e
    for (const body of [
      { action: 'unban', id },
      { action: 'comment', id, value: 'x' },
    ]) {
      const { status } = await server.request('POST', '/api/moderation', {
        session,
        body: { workspaceId, ...body },
      })
      expect(status).toBe(403)
    }
    await expectNoPageErrors(tab)
  })

  test('no moderation permission has no access to it', async () => {
    const { toPath, createMember } = await createWorkspace()
    const { session } = await createMember('events.view')
    const { page } = await e2e.openScreen(toPath('/players/261'), { session, heading: '261' })
    await page.getByText('You don’t have access').waitFor()
    expect(await page.getByRole('link', { name: 'Moderation', exact: true }).count()).toBe(0)
  })

  test('moderation.ban but not moderation.unban cannot lift or shorten a ban', async () => {
    const { toPath, moderate, createMember, listRecords } = await createWorkspace()
    await moderate({ action: 'ban', ...TEST_PLAYER, reason: 'Exploiting' })
    const { session } = await createMember('moderation.view', 'moderation.ban', 'moderation.note')
    const { page } = await e2e.openScreen(toPath('/players/261'), { session, heading: 'StormRider 261' })
    await activeSanctions(page).getByText('Banned permanently').waitFor()
    expect(await buttonsOf(page, 'Moderate this player')).toEqual(['Ban', 'Note'])
    expect(await page.getByRole('button', { name: 'Lift the ban' }).count()).toBe(0)
    await pressButton(page, 'Ban')
    await fillIn(page, { Reason: 'Less' })
    await chooseOption(page, '7 days')
    await openDialog(page)
      .getByText(/You do not have permission to shorten a ban/)
      .waitFor()
    await expectSettled(() => page.getByRole('button', { name: 'Ban 261' }).isDisabled(), true)
    await chooseOption(page, 'Permanent')
    await pressButton(page, 'Ban 261')
    await openDialog(page).waitFor({ state: 'detached' })
    expect(await listRecords('261')).toHaveLength(2)
  })

  test('a permission that was just revoked is told so and keeps their input', async () => {
    const { session: owner, workspaceId, toPath, createMember } = await createWorkspace()
    const { session, name: kim } = await createMember('moderation.view', 'moderation.ban', 'moderation.note')
    const { page } = await e2e.openScreen(toPath('/players/261'), { session, heading: '261' })
    await pressButton(page, 'Ban')
    await chooseOption(page, '1 day')
    await fillIn(page, { Reason: 'Exploiting' })
    // Keeps the page from learning of the change.
    await page.route('**/portal/api/me', (route) => route.abort())
    const { server } = e2e
    const { body } = await server.requestOk('GET', `/portal/api/roles?workspaceId=${workspaceId}`, {
      session: owner,
    })
    const { id: roleId } = body.roles.find(({ name }: { name: string }) => name === `Role of ${kim}`)
    const permissions = JSON.stringify(['moderation.view', 'moderation.note'])
    await server.requestOk('POST', '/api/_workspace-permissions', {
      session: owner,
      body: { workspaceId, roleId, permissions },
    })
    await pressButton(page, 'Ban 261')
    await openDialog(page)
      .getByText(/^Your roles no longer allow this/)
      .waitFor()
    await expectSettled(() => readField(page, 'Reason'), 'Exploiting')
  })

  test('every permission can read but not change an archived workspace', async () => {
    const { session, workspaceId, toPath, moderate } = await createWorkspace()
    await moderate({ action: 'ban', ...TEST_PLAYER, reason: 'Exploiting' })
    const { server } = e2e
    await server.requestOk('POST', '/api/workspaces', {
      session,
      body: { action: 'archive', id: workspaceId },
    })
    const { page } = await e2e.openScreen(toPath('/players/261'), { session, heading: 'StormRider 261' })
    await activeSanctions(page).getByText('Banned permanently').waitFor()
    await page.getByRole('alert').getByText('This workspace is archived').waitFor()
    const enabled = page.getByRole('main').getByRole('button', { disabled: false })
    await expectSettled(
      async () => Promise.all((await enabled.all()).map((button) => button.getAttribute('aria-label'))),
      // An archived workspace can still be asked to download or erase what it stores about a player.
      ['Copy: player ID', 'Data of this player'],
    )
    expect(await buttonsOf(page, 'Moderate this player')).toEqual(['Ban', 'Mute', 'Kick', 'Warn', 'Note'])
    for (const name of ['Lift the ban', 'Ban', 'Mute', 'Kick', 'Warn', 'Note'])
      await expectBlocked(page, name, ARCHIVED)
  })
})

test('scripts in user input never run, wherever the input is shown', async () => {
  const { session, toPath } = await createWorkspace()
  const script = '"><img src=x onerror="globalThis.ran=1"><script>globalThis.ran=1</script>'
  const tab = await e2e.openScreen(toPath('/players/261'), { session, heading: '261' })
  const { page } = tab
  await pressButton(page, 'Ban')
  await chooseOption(page, 'Permanent')
  await fillIn(page, {
    Reason: script,
    Evidence: `${script}\njavascript:globalThis.ran=1`,
    'Player name': script,
  })
  await pressButton(page, 'Ban 261')
  await activeSanctions(page).getByText(script).waitFor()
  await page.getByRole('link', { name: 'Case 1' }).first().click()
  await page.getByRole('heading', { name: 'Case 1: ban' }).waitFor()
  await fillIn(page, { 'New comment': script })
  await pressButton(page, 'Add comment')
  await page.getByRole('list', { name: 'Comments' }).getByText(script).waitFor()
  expect(await page.getByRole('list', { name: 'Evidence' }).getByRole('link').count()).toBe(0)
  for (const path of ['', '?q=261', '/bans', '/history', '/records', `?q=${encodeURIComponent(script)}`]) {
    await page.goto(`${new URL(page.url()).origin}${toPath(path)}`)
    await page.getByText('onerror').first().waitFor()
  }
  expect(await page.evaluate<unknown>('globalThis.ran ?? "nothing"')).toBe('nothing')
  await expectNoPageErrors(tab)
})

describe('the record lists', () => {
  test('are filtered by the query string, and so is the CSV file', async () => {
    const { session, toPath, moderate, createMember } = await createWorkspace()
    const { session: kim, name: kimName } = await createMember(
      'moderation.view',
      'moderation.ban',
      'moderation.warn',
    )
    await moderate({ action: 'ban', ...TEST_PLAYER, reason: 'Mine' })
    await moderate({ action: 'ban', userId: '156', reason: 'Of kim', severity: 'critical' }, kim)
    await moderate({ action: 'ban', userId: '157', reason: 'Of kim, too' }, kim)
    const tab = await e2e.openScreen(toPath('/bans'), { session, heading: 'Active bans' })
    const { page } = tab
    const list = page.getByRole('list', { name: 'Active bans' })
    await list.getByText('Mine').waitFor()
    await expectSettled(() => list.getByRole('listitem').count(), 3)
    await page.getByRole('combobox', { name: 'Recorded by' }).click()
    await page.getByRole('option', { name: kimName }).click()
    await list.getByText('Mine').waitFor({ state: 'detached' })
    await page.getByRole('combobox', { name: 'Severity' }).click()
    await page.getByRole('option', { name: 'Critical' }).click()
    await list.getByText('Of kim, too').waitFor({ state: 'detached' })
    const { searchParams, origin } = new URL(page.url())
    expect(searchParams.get('severity')).toBe('critical')
    const file = await page.getByRole('link', { name: 'CSV' }).getAttribute('href')
    const csv = await page.context().request.get(`${origin}${file}`)
    expect((await csv.text()).trim().split('\r\n')).toHaveLength(2)
    await page.reload()
    await list.getByText('Of kim').waitFor()
    await expectSettled(() => page.getByRole('combobox', { name: 'Recorded by' }).inputValue(), kimName)
    await page.getByRole('textbox', { name: 'Player or case' }).fill('261')
    await page.getByRole('textbox', { name: 'Player or case' }).press('Enter')
    await page.getByText('No cases match these filters').waitFor()
    await pressButton(page, 'Clear filters')
    await list.getByText('Mine').waitFor()
    expect(new URL(page.url()).search).toBe('')
    await expectNoPageErrors(tab)
  })

  test('load more on scrolling, and show new records as they happen', async () => {
    const { session, toPath, moderate } = await createWorkspace()
    for (let at = 1; at <= 60; at++)
      await moderate({ action: 'note', userId: String(at), reason: `Note ${at}.` })
    const { page } = await e2e.openScreen(toPath('/records'), { session, heading: 'All cases' })
    const list = page.getByRole('list', { name: 'All cases' })
    // The last of the first page, which is rendered after what a screen shows at first.
    await list.getByText('Note 11.').waitFor()
    await expectSettled(() => list.getByText('Note 1.', { exact: true }).count(), 0)
    await page.evaluate('scrollTo(0, document.body.scrollHeight)')
    await list.getByText('Note 1.', { exact: true }).waitFor()
    await moderate({ action: 'kick', userId: '7', reason: 'Just now' })
    await list.getByText('Just now').first().waitFor()
  })

  test('show an error with a retry button if loading fails', async () => {
    const { session, toPath, moderate } = await createWorkspace()
    await moderate({ action: 'ban', ...TEST_PLAYER, reason: 'Exploiting' })
    const { page } = await e2e.openScreen(toPath(), { session, heading: 'Moderation' })
    await page.getByText('Exploiting').waitFor()
    const rejection = {
      error: 'Internal error. Try again.',
      code: 'internal_error',
      requestId: 'request-7',
    }
    await page.route('**/api/moderation*', (route) => route.fulfill({ status: 500, json: rejection }))
    await page.getByRole('link', { name: 'Active bans' }).click()
    await page.getByText('Could not load this').waitFor()
    await page.getByText('request-7').waitFor()
    await page.unroute('**/api/moderation*')
    await pressButton(page, 'Try again')
    await page.getByRole('list', { name: 'Active bans' }).getByText('Exploiting').waitFor()
  })
})
