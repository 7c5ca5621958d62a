import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { openE2eSession, useSession } from '../support/e2e-session.ts'
import { PASSWORD } from '../support/instance.ts'
import {
  chooseMenuItem,
  expectSettled,
  fillIn,
  pressButton,
  readField,
  waitForHeading,
  XSS_PAYLOAD,
} from '../support/page-actions.ts'
import { expectNoPageErrors } from '../support/page-errors.ts'
import { GROUP, OWNER } from '../support/server.ts'

const e2e = useSession(openE2eSession)

const openAccountsScreen = () => e2e.openScreen('/operator/accounts', { heading: 'Accounts' })
const openWorkspacesScreen = () => e2e.openScreen('/operator/workspaces', { heading: 'Workspaces' })

/** Opens the screen of workspaces, and waits until its list has only the one with the name, so that its buttons stay where they are. */
async function openWorkspace(name: string): Promise<Page> {
  const { page } = await openWorkspacesScreen()
  await page.getByLabel('Find a workspace by name').fill(name)
  const buttons = page.getByRole('button', { name: /^Set the quotas of/ })
  await expectSettled(() => buttons.count(), 1)
  return page
}

const accountRow = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Accounts' }).getByRole('listitem').filter({ hasText: name })
const chooseAccountAction = (page: Page, username: string, item: string): Promise<void> =>
  chooseMenuItem(page, `Actions for ${username}`, item)
const readSignInStatus = async (username: string, password: string) =>
  (await e2e.server.request('POST', '/portal/api/sign-in', { body: { username, password } })).status

describe('accounts', () => {
  test('are created with a link, with which their owner sets a password and is signed in', async () => {
    const tab = await openAccountsScreen()
    const { page } = tab
    await pressButton(page, 'New account')
    await fillIn(page, { Username: OWNER })
    await pressButton(page, 'Create account')
    await page.getByRole('dialog').getByText('An account named robin already exists.').waitFor()
    await fillIn(page, { Username: 'juniper' })
    await pressButton(page, 'Create account')
    await page.getByRole('dialog').getByText('Send this link to juniper only').waitFor()
    const link = await readField(page, 'Link')
    await pressButton(page, 'Done')
    await accountRow(page, 'juniper').getByText('no active session').waitFor()
    await expectNoPageErrors(tab)

    const path = new URL(link).pathname + new URL(link).hash
    const { page: other } = await e2e.openScreen(path, { session: null, heading: 'Set a new password' })
    await other.getByText('For the account juniper.').waitFor()
    await fillIn(other, { 'New password': 'short' })
    await pressButton(other, 'Set password')
    await other.getByText('New password must be').waitFor()
    await fillIn(other, { 'New password': 'a very good one' })
    await pressButton(other, 'Set password')
    await other.getByRole('heading', { name: 'Your workspaces' }).waitFor()
    expect(await readSignInStatus('juniper', 'a very good one')).toBe(200)
    await other.goto(link)
    await other.reload()
    await other.getByText('This link has expired, was already used').waitFor()
  })

  test('get a link for a new password, which ends their sessions once it is used', async () => {
    await e2e.server.createAccount('ash')
    const session = await e2e.server.session('ash')
    const { page } = await openAccountsScreen()
    await chooseAccountAction(page, 'ash', 'Create password link…')
    await pressButton(page, 'Create link')
    const token = (await readField(page, 'Link')).split('#')[1]
    expect(await readSignInStatus('ash', PASSWORD)).toBe(200)
    const body = { token, password: 'a very good one' }
    await e2e.server.requestOk('POST', '/portal/api/password-link/password', { body })
    expect(await readSignInStatus('ash', PASSWORD)).toBe(401)
    expect((await e2e.server.request('GET', '/portal/api/me', { session })).status).toBe(401)
  })

  test('are disabled after a confirmation with the consequences, and enabled again', async () => {
    await e2e.server.createAccount('elm')
    const { page } = await openAccountsScreen()
    await chooseAccountAction(page, 'elm', 'Disable…')
    await page.getByRole('dialog').getByText('can no longer sign in').waitFor()
    await pressButton(page, 'Disable account')
    await accountRow(page, 'elm').getByText('Disabled').waitFor()
    expect(await readSignInStatus('elm', PASSWORD)).not.toBe(200)
    await chooseAccountAction(page, 'elm', 'Enable…')
    await pressButton(page, 'Enable account')
    await accountRow(page, 'elm').getByText('Disabled').waitFor({ state: 'detached' })
    expect(await readSignInStatus('elm', PASSWORD)).toBe(200)
  })

  test('become operators; the last operator cannot be revoked, and the dialog says why', async () => {
    await e2e.server.createAccount('oak')
    const { page } = await openAccountsScreen()
    await chooseAccountAction(page, OWNER, 'Revoke operator access…')
    await pressButton(page, 'Revoke operator access')
    await page.getByRole('dialog').getByText('This is the last operator').waitFor()
    await pressButton(page, 'Cancel')
    await chooseAccountAction(page, 'oak', 'Make operator…')
    await pressButton(page, 'Make operator')
    await accountRow(page, 'oak').getByText('Operator', { exact: true }).waitFor()
    await page.getByText('Operators', { exact: true }).click()
    await page.getByRole('button', { name: 'Actions for oak' }).waitFor()
    expect(new URL(page.url()).searchParams.get('only')).toBe('operators')
    await chooseAccountAction(page, 'oak', 'Revoke operator access…')
    await pressButton(page, 'Revoke operator access')
    await accountRow(page, 'oak').waitFor({ state: 'detached' })
  })

  test('are found by a part of the name, and list their workspaces', async () => {
    await e2e.server.createAccount('willow')
    const { page } = await openAccountsScreen()
    await accountRow(page, 'willow').waitFor()
    await page.getByLabel('Find an account by username').fill('ROB')
    await accountRow(page, 'willow').waitFor({ state: 'detached' })
    await chooseAccountAction(page, OWNER, 'Workspaces')
    await page.getByRole('dialog').getByText(GROUP).waitFor()
    await page.getByRole('dialog').getByText('Owner').waitFor()
    await pressButton(page, 'Close')
    await expectSettled(() => page.getByRole('button', { name: `Actions for ${OWNER}` }).count(), 1)
    await page.getByLabel('Find an account by username').fill('nobody like that')
    await page.getByText('No matching accounts').waitFor()
  })
})

describe('workspaces', () => {
  test('get a quota, with a warning if it is already used up, and lose it again', async () => {
    const id = await e2e.createWorkspace('Harbour Watch')
    const page = await openWorkspace('harbour')
    await pressButton(page, 'Set the quotas of Harbour Watch')
    await fillIn(page, { 'Requests per month': 'many' })
    await pressButton(page, 'Set quotas')
    await page.getByText('Requests per month must').waitFor()
    await fillIn(page, { 'Requests per month': '0' })
    await page.getByText('This request quota is already used up').waitFor()
    await fillIn(page, { 'Requests per month': '1,000' })
    await pressButton(page, 'Set quotas')
    await page.getByText(/of 1,000 requests/).waitFor()
    const quota = async () =>
      (await e2e.server.requestOk('GET', `/api/workspaces?id=${id}`, { session: e2e.owner.session })).body
        .workspace.monthlyQuota
    expect(await quota()).toBe('1000')
    await pressButton(page, 'Set the quotas of Harbour Watch')
    await fillIn(page, { 'Requests per month': '' })
    await pressButton(page, 'Set quotas')
    await page.getByText('Changed the quotas of Harbour Watch.').first().waitFor()
    await page.getByText(/this month, no quota$/).waitFor()
    expect(await quota()).toBeNull()
  })

  test('keep the quota that another operator sets while the dialog is open', async () => {
    const workspaceId = await e2e.createWorkspace('Cove Watch')
    const page = await openWorkspace('cove')
    await pressButton(page, 'Set the quotas of Cove Watch')
    await page.getByRole('button', { name: 'No changes', disabled: true }).waitFor()
    await e2e.requestAsOwner('POST', '/admin/api/quotas', { storageQuota: '50GB' }, workspaceId)
    // No number of requests, and not 15.
    await fillIn(page, { 'Requests per month': '1.5' })
    await pressButton(page, 'Set quotas')
    await page.getByText('Requests per month must').waitFor()
    await fillIn(page, { 'Requests per month': '1.500.000' })
    await pressButton(page, 'Set quotas')
    await page.getByText(/of 1,500,000 requests/).waitFor()
    await page.getByText(/ of 50 GB$/).waitFor()
  })

  test('get a storage quota as a size, and the default of the instance back', async () => {
    await e2e.createWorkspace('Lagoon Watch')
    const page = await openWorkspace('lagoon')
    await pressButton(page, 'Set the quotas of Lagoon Watch')
    await fillIn(page, { Storage: 'much' })
    await pressButton(page, 'Set quotas')
    await page.getByText('Storage must be a size such as 5GB').waitFor()
    await fillIn(page, { Storage: '100' })
    await page.getByText('This storage quota is already used up').waitFor()
    await fillIn(page, { Storage: '20 GB' })
    await pressButton(page, 'Set quotas')
    await page.getByText(/ of 20 GB$/).waitFor()
    expect(await page.getByRole('progressbar', { name: 'Used storage of Lagoon Watch' }).count()).toBe(1)
    await pressButton(page, 'Set the quotas of Lagoon Watch')
    expect(await page.getByRole('textbox', { name: 'Storage' }).inputValue()).toBe('20 GB')
    await fillIn(page, { Storage: '0' })
    await pressButton(page, 'Set quotas')
    await page.getByText(/ stored, no quota$/).waitFor()
    await pressButton(page, 'Set the quotas of Lagoon Watch')
    await fillIn(page, { Storage: '' })
    await pressButton(page, 'Set quotas')
    await page.getByText(/ of 5 GB$/).waitFor()
  })

  test('with a script as name are shown as plain text', async () => {
    await e2e.createWorkspace(XSS_PAYLOAD)
    const tab = await openWorkspacesScreen()
    await pressButton(tab.page, `Set the quotas of ${XSS_PAYLOAD}`)
    await tab.page.getByRole('dialog').getByText(`Quotas of ${XSS_PAYLOAD}`).waitFor()
    expect(await tab.page.evaluate('"planted" in globalThis')).toBe(false)
    await expectNoPageErrors(tab)
    expect(tab.pageErrors).toEqual([])
  })
})

describe('the health of the instance', () => {
  const health = () => e2e.openScreen('/operator/instance', { heading: 'Health' })

  test('shows the version, the engine and the content', async () => {
    const tab = await health()
    const { page } = tab
    const { body } = await e2e.server.requestOk('GET', '/admin/api/instance', { session: e2e.owner.session })
    await page.getByText(body.instance.version, { exact: true }).waitFor()
    await page.getByText(body.instance.engine, { exact: true }).waitFor()
    await expectNoPageErrors(tab)
  })

  test('warns of an instance without any backup, and says how to get one', async () => {
    const { page } = await health()
    await page.getByRole('alert').getByText('There is no backup, and automatic backups are off.').waitFor()
    await page.getByRole('alert').getByText('set REEVE_BACKUP_EVERY=24h for automatic backups').waitFor()
    expect(await page.getByText('All systems healthy').count()).toBe(0)
  })

  test('shows problems with advice', async () => {
    const { body } = await e2e.server.requestOk('GET', '/admin/api/instance', { session: e2e.owner.session })
    const { page } = await e2e.openScreen('/account', { heading: 'Your account' })
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
    await page.getByText('has only 20 MB free').waitFor()
    await page.getByText('The disk is too slow.').waitFor()
    expect(await page.getByText('All systems healthy').count()).toBe(0)
  })

  test('shows an error if it cannot be read, and retries', async () => {
    const { page } = await e2e.openScreen('/account', { heading: 'Your account' })
    await page.route('**/admin/api/instance', (route) => route.fulfill({ status: 502, body: 'Bad gateway' }))
    await page.goto(`${e2e.server.origin}/operator/instance`)
    await page.getByText('Could not load this').waitFor()
    await page.unroute('**/admin/api/instance')
    await pressButton(page, 'Try again')
    await page.getByText('Uptime').waitFor()
  })
})

test('users who are not operators see nothing of it, and requests are rejected', async () => {
  await e2e.server.createAccount('guest')
  const session = await e2e.server.session('guest')
  for (const screen of ['instance', 'accounts', 'workspaces']) {
    const { page } = await e2e.openScreen(`/operator/${screen}`, {
      session,
      heading: 'Operators only',
    })
    await waitForHeading(page, 'Operators only')
    expect((await e2e.server.request('GET', `/admin/api/${screen}`, { session })).status).toBe(403)
  }
})
