import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { type E2eSession, openE2eSession, XSS_PAYLOAD } from '../support/e2e-session.ts'
import { PASSWORD } from '../support/instance.ts'
import { expectEventually, fillIn, pressButton, readField, waitForHeading } from '../support/page-actions.ts'
import { expectNoPageErrors } from '../support/page-errors.ts'
import { GROUP, OWNER } from '../support/server.ts'

let e2e: E2eSession
beforeAll(async () => {
  e2e = await openE2eSession()
}, 60_000)
afterEach(() => e2e.closeTabs())
afterAll(() => e2e?.close())

const openAccountsScreen = () => e2e.openScreen(e2e.owner.session, '/operator/accounts', 'Accounts')
const openWorkspacesScreen = () => e2e.openScreen(e2e.owner.session, '/operator/workspaces', 'Workspaces')
const accountRow = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Accounts' }).getByRole('listitem').filter({ hasText: name })
async function chooseAccountAction(page: Page, username: string, item: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${username}` }).click()
  await page.getByRole('menuitem', { name: item }).click()
}
const readSignInStatus = async (username: string, password: string) =>
  (await e2e.server.request('POST', '/portal/api/sign-in', { body: { username, password } })).status

describe('accounts', () => {
  test('are made with a suggested password, which signs in', async () => {
    const tab = await openAccountsScreen()
    const { page } = tab
    await pressButton(page, 'Make an account')
    await fillIn(page, { Username: OWNER })
    await pressButton(page, 'Suggest one')
    const password = await readField(page, 'Password')
    expect(password).toMatch(/^(\w{5}-){3}\w{5}$/)
    await pressButton(page, 'Make the account')
    await page.getByRole('dialog').getByText('An account named robin already exists.').waitFor()
    await expectEventually(() => readField(page, 'Password'), password)
    await fillIn(page, { Username: 'juniper' })
    await pressButton(page, 'Make the account')
    await accountRow(page, 'juniper').getByText('signed in nowhere').waitFor()
    expect(await readSignInStatus('juniper', password)).toBe(200)
    await expectNoPageErrors(tab)
  })

  test('get another password, which ends their sessions', async () => {
    await e2e.server.createAccount('ash')
    const session = await e2e.server.session('ash')
    const { page } = await openAccountsScreen()
    await chooseAccountAction(page, 'ash', 'Reset the password…')
    await fillIn(page, { 'New password': 'short' })
    await pressButton(page, 'Reset the password')
    await page.getByText('New password must be').waitFor()
    await fillIn(page, { 'New password': 'a very good one' })
    await pressButton(page, 'Reset the password')
    await page.getByText('ash has another password.').waitFor()
    expect(await readSignInStatus('ash', PASSWORD)).toBe(401)
    expect(await readSignInStatus('ash', 'a very good one')).toBe(200)
    expect((await e2e.server.request('GET', '/portal/api/me', { session })).status).toBe(401)
  })

  test('are disabled after a word of what that does, and enabled again', async () => {
    await e2e.server.createAccount('elm')
    const { page } = await openAccountsScreen()
    await chooseAccountAction(page, 'elm', 'Disable…')
    await page.getByRole('dialog').getByText('cannot sign in any more').waitFor()
    await pressButton(page, 'Disable the account')
    await accountRow(page, 'elm').getByText('Disabled').waitFor()
    expect(await readSignInStatus('elm', PASSWORD)).not.toBe(200)
    await chooseAccountAction(page, 'elm', 'Enable…')
    await pressButton(page, 'Enable the account')
    await accountRow(page, 'elm').getByText('Disabled').waitFor({ state: 'detached' })
    expect(await readSignInStatus('elm', PASSWORD)).toBe(200)
  })

  test('become operators; the last one cannot stop, and the dialog stays and says why', async () => {
    await e2e.server.createAccount('oak')
    const { page } = await openAccountsScreen()
    await chooseAccountAction(page, OWNER, 'Take operating away…')
    await pressButton(page, 'Take it away')
    await page.getByRole('dialog').getByText('This is the last operator').waitFor()
    await pressButton(page, 'Cancel')
    await chooseAccountAction(page, 'oak', 'Make it an operator…')
    await pressButton(page, 'Make it an operator')
    await accountRow(page, 'oak').getByText('Operator', { exact: true }).waitFor()
    await page.getByText('Operators', { exact: true }).click()
    await page.getByRole('button', { name: 'Actions for oak' }).waitFor()
    expect(new URL(page.url()).searchParams.get('only')).toBe('operators')
    await chooseAccountAction(page, 'oak', 'Take operating away…')
    await pressButton(page, 'Take it away')
    await accountRow(page, 'oak').waitFor({ state: 'detached' })
  })

  test('are found by a part of the name, and tell their workspaces', async () => {
    await e2e.server.createAccount('willow')
    const { page } = await openAccountsScreen()
    await page.getByLabel('Find an account by its username').fill('ROB')
    await accountRow(page, 'willow').waitFor({ state: 'detached' })
    await chooseAccountAction(page, OWNER, 'Its workspaces')
    await page.getByRole('dialog').getByText(GROUP).waitFor()
    await page.getByRole('dialog').getByText('Owner').waitFor()
    await pressButton(page, 'Close')
    await expectEventually(() => page.getByRole('button', { name: `Actions for ${OWNER}` }).count(), 1)
    await page.getByLabel('Find an account by its username').fill('nobody like that')
    await page.getByText('No account is like that').waitFor()
  })
})

describe('workspaces', () => {
  test('get a quota, which is told as used up where it is, and lose it again', async () => {
    const id = await e2e.createWorkspace('Harbour Watch')
    const { page } = await openWorkspacesScreen()
    await page.getByLabel('Find a workspace by its name').fill('harbour')
    await pressButton(page, 'Set the quota of Harbour Watch')
    await fillIn(page, { 'Calls a month': 'many' })
    await pressButton(page, 'Set the quota')
    await page.getByText('Calls a month must').waitFor()
    await fillIn(page, { 'Calls a month': '0' })
    await page.getByText('That is used up already').waitFor()
    await fillIn(page, { 'Calls a month': '1,000' })
    await pressButton(page, 'Set the quota')
    await page.getByText(/of 1,000 calls/).waitFor()
    const quota = async () =>
      (await e2e.server.requestOk('GET', `/api/workspaces?id=${id}`, { session: e2e.owner.session })).body
        .workspace.monthlyQuota
    expect(await quota()).toBe('1000')
    await pressButton(page, 'Set the quota of Harbour Watch')
    await fillIn(page, { 'Calls a month': '' })
    await pressButton(page, 'Set the quota')
    await page.getByText('Harbour Watch may make any number of calls.').waitFor()
    expect(await quota()).toBeNull()
  })

  test('named like script are shown as they are, and run nothing', async () => {
    await e2e.createWorkspace(XSS_PAYLOAD)
    const tab = await openWorkspacesScreen()
    await pressButton(tab.page, `Set the quota of ${XSS_PAYLOAD}`)
    await tab.page.getByRole('dialog').getByText(`Quota of ${XSS_PAYLOAD}`).waitFor()
    expect(await tab.page.evaluate('"planted" in globalThis')).toBe(false)
    await expectNoPageErrors(tab)
    expect(tab.pageErrors).toEqual([])
  })
})

describe('the health of the instance', () => {
  const health = () => e2e.openScreen(e2e.owner.session, '/operator/instance', 'Health')

  test('is told with the version, the engine and what it holds', async () => {
    const tab = await health()
    const { page } = tab
    const { body } = await e2e.server.requestOk('GET', '/admin/api/instance', { session: e2e.owner.session })
    await page.getByText(body.instance.version, { exact: true }).waitFor()
    await page.getByText(body.instance.engine, { exact: true }).waitFor()
    await expectNoPageErrors(tab)
  })

  test('where something is not well says what, and what to do', async () => {
    const { body } = await e2e.server.requestOk('GET', '/admin/api/instance', { session: e2e.owner.session })
    const { page } = await e2e.openScreen(e2e.owner.session, '/account', 'Your account')
    const backup = {
      ...body.instance.backup,
      verdict: 'fault',
      found: 'The last backup failed 2 days ago.',
      advice: 'Look at the disk it goes to.',
    }
    const disk = { totalBytes: '1000000000', freeBytes: '20000000' }
    const instance = { ...body.instance, backup, disk, writes: { committed: '9', waiting: '700' } }
    await page.route('**/admin/api/instance', (route) => route.fulfill({ json: { instance } }))
    await page.goto(`${e2e.server.origin}/operator/instance`)
    await page.getByRole('alert').getByText('The last backup failed 2 days ago.').waitFor()
    await page.getByText('Look at the disk it goes to.').waitFor()
    await page.getByText('has 20 MB left').waitFor()
    await page.getByText('The disk does not keep up.').waitFor()
    expect(await page.getByText('All is well').count()).toBe(0)
  })

  test('that cannot be read says so, and is read again', async () => {
    const { page } = await e2e.openScreen(e2e.owner.session, '/account', 'Your account')
    await page.route('**/admin/api/instance', (route) => route.fulfill({ status: 502, body: 'Bad gateway' }))
    await page.goto(`${e2e.server.origin}/operator/instance`)
    await page.getByText('Could not load this').waitFor()
    await page.unroute('**/admin/api/instance')
    await pressButton(page, 'Try again')
    await page.getByText('Running for').waitFor()
  })
})

test('whoever operates nothing is shown nothing of it, and is answered nothing', async () => {
  await e2e.server.createAccount('guest')
  const session = await e2e.server.session('guest')
  for (const screen of ['instance', 'accounts', 'workspaces']) {
    const { page } = await e2e.openScreen(session, `/operator/${screen}`, 'Operators only')
    await waitForHeading(page, 'Operators only')
    expect((await e2e.server.request('GET', `/admin/api/${screen}`, { session })).status).toBe(403)
  }
})
