import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { PASSWORD } from '../support/instance.ts'
import { GROUP, OWNER } from '../support/place.ts'
import { expectSoon, fillIn, heading, press, typedIn } from '../support/portal.ts'
import { openStay, PLANTED, type Stay } from '../support/stay.ts'
import { expectCalm } from '../support/visit.ts'

let stay: Stay
beforeAll(async () => {
  stay = await openStay()
}, 60_000)
afterEach(() => stay.leave())
afterAll(() => stay?.close())

const accounts = () => stay.visit(stay.owner.session, '/operator/accounts', 'Accounts')
const workspaces = () => stay.visit(stay.owner.session, '/operator/workspaces', 'Workspaces')
const line = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Accounts' }).getByRole('listitem').filter({ hasText: name })
async function choose(page: Page, username: string, item: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${username}` }).click()
  await page.getByRole('menuitem', { name: item }).click()
}
const statusOfSignIn = async (username: string, password: string) =>
  (await stay.place.call('POST', '/portal/api/sign-in', { body: { username, password } })).status

describe('accounts', () => {
  test('are made with a suggested password, which signs in', async () => {
    const opened = await accounts()
    const { page } = opened
    await press(page, 'Make an account')
    await fillIn(page, { Username: OWNER })
    await press(page, 'Suggest one')
    const password = await typedIn(page, 'Password')
    expect(password).toMatch(/^(\w{5}-){3}\w{5}$/)
    await press(page, 'Make the account')
    await page.getByRole('dialog').getByText('There is an account named robin already.').waitFor()
    await expectSoon(() => typedIn(page, 'Password'), password)
    await fillIn(page, { Username: 'juniper' })
    await press(page, 'Make the account')
    await line(page, 'juniper').getByText('signed in nowhere').waitFor()
    expect(await statusOfSignIn('juniper', password)).toBe(200)
    await expectCalm(opened)
  })

  test('get another password, which ends their sessions', async () => {
    await stay.place.account('ash')
    const session = await stay.place.session('ash')
    const { page } = await accounts()
    await choose(page, 'ash', 'Reset the password…')
    await fillIn(page, { 'New password': 'short' })
    await press(page, 'Reset the password')
    await page.getByText('New password must be').waitFor()
    await fillIn(page, { 'New password': 'a very good one' })
    await press(page, 'Reset the password')
    await page.getByText('ash has another password.').waitFor()
    expect(await statusOfSignIn('ash', PASSWORD)).toBe(401)
    expect(await statusOfSignIn('ash', 'a very good one')).toBe(200)
    expect((await stay.place.call('GET', '/portal/api/me', { session })).status).toBe(401)
  })

  test('are disabled after a word of what that does, and enabled again', async () => {
    await stay.place.account('elm')
    const { page } = await accounts()
    await choose(page, 'elm', 'Disable…')
    await page.getByRole('dialog').getByText('cannot sign in any more').waitFor()
    await press(page, 'Disable the account')
    await line(page, 'elm').getByText('Disabled').waitFor()
    expect(await statusOfSignIn('elm', PASSWORD)).not.toBe(200)
    await choose(page, 'elm', 'Enable…')
    await press(page, 'Enable the account')
    await line(page, 'elm').getByText('Disabled').waitFor({ state: 'detached' })
    expect(await statusOfSignIn('elm', PASSWORD)).toBe(200)
  })

  test('become operators; the last one cannot stop, and the dialog stays and says why', async () => {
    await stay.place.account('oak')
    const { page } = await accounts()
    await choose(page, OWNER, 'Take operating away…')
    await press(page, 'Take it away')
    await page.getByRole('dialog').getByText('This is the last operator').waitFor()
    await press(page, 'Cancel')
    await choose(page, 'oak', 'Make it an operator…')
    await press(page, 'Make it an operator')
    await line(page, 'oak').getByText('Operator', { exact: true }).waitFor()
    await page.getByText('Operators', { exact: true }).click()
    await page.getByRole('button', { name: 'Actions for oak' }).waitFor()
    expect(new URL(page.url()).searchParams.get('only')).toBe('operators')
    await choose(page, 'oak', 'Take operating away…')
    await press(page, 'Take it away')
    await line(page, 'oak').waitFor({ state: 'detached' })
  })

  test('are found by a part of the name, and tell their workspaces', async () => {
    await stay.place.account('willow')
    const { page } = await accounts()
    await page.getByLabel('Find an account by its username').fill('ROB')
    await line(page, 'willow').waitFor({ state: 'detached' })
    await choose(page, OWNER, 'Its workspaces')
    await page.getByRole('dialog').getByText(GROUP).waitFor()
    await page.getByRole('dialog').getByText('Owner').waitFor()
    await press(page, 'Close')
    await expectSoon(() => page.getByRole('button', { name: `Actions for ${OWNER}` }).count(), 1)
    await page.getByLabel('Find an account by its username').fill('nobody like that')
    await page.getByText('No account is like that').waitFor()
  })
})

describe('workspaces', () => {
  test('get a quota, which is told as used up where it is, and lose it again', async () => {
    const id = await stay.workspace('Harbour Watch')
    const { page } = await workspaces()
    await page.getByLabel('Find a workspace by its name').fill('harbour')
    await press(page, 'Set the quota of Harbour Watch')
    await fillIn(page, { 'Calls a month': 'many' })
    await press(page, 'Set the quota')
    await page.getByText('Calls a month must').waitFor()
    await fillIn(page, { 'Calls a month': '0' })
    await page.getByText('That is used up already').waitFor()
    await fillIn(page, { 'Calls a month': '1,000' })
    await press(page, 'Set the quota')
    await page.getByText(/of 1,000 calls/).waitFor()
    const quota = async () =>
      (await stay.place.must('GET', `/api/workspaces?id=${id}`, { session: stay.owner.session })).body
        .workspace.monthlyQuota
    expect(await quota()).toBe('1000')
    await press(page, 'Set the quota of Harbour Watch')
    await fillIn(page, { 'Calls a month': '' })
    await press(page, 'Set the quota')
    await page.getByText('Harbour Watch may make any number of calls.').waitFor()
    expect(await quota()).toBeNull()
  })

  test('named like script are shown as they are, and run nothing', async () => {
    await stay.workspace(PLANTED)
    const opened = await workspaces()
    await press(opened.page, `Set the quota of ${PLANTED}`)
    await opened.page.getByRole('dialog').getByText(`Quota of ${PLANTED}`).waitFor()
    expect(await opened.page.evaluate('"planted" in globalThis')).toBe(false)
    await expectCalm(opened)
    expect(opened.complaints).toEqual([])
  })
})

describe('the health of the instance', () => {
  const health = () => stay.visit(stay.owner.session, '/operator/instance', 'Health')

  test('is told with the version, the engine and what it holds', async () => {
    const opened = await health()
    const { page } = opened
    const { body } = await stay.place.must('GET', '/admin/api/instance', { session: stay.owner.session })
    await page.getByText(body.instance.version, { exact: true }).waitFor()
    await page.getByText(body.instance.engine, { exact: true }).waitFor()
    await expectCalm(opened)
  })

  test('where something is not well says what, and what to do', async () => {
    const { body } = await stay.place.must('GET', '/admin/api/instance', { session: stay.owner.session })
    const { page } = await stay.visit(stay.owner.session, '/account', 'Your account')
    const backup = {
      ...body.instance.backup,
      verdict: 'fault',
      found: 'The last backup failed 2 days ago.',
      advice: 'Look at the disk it goes to.',
    }
    const disk = { totalBytes: '1000000000', freeBytes: '20000000' }
    const instance = { ...body.instance, backup, disk, writes: { committed: '9', waiting: '700' } }
    await page.route('**/admin/api/instance', (route) => route.fulfill({ json: { instance } }))
    await page.goto(`${stay.place.origin}/operator/instance`)
    await page.getByRole('alert').getByText('The last backup failed 2 days ago.').waitFor()
    await page.getByText('Look at the disk it goes to.').waitFor()
    await page.getByText('has 20 MB left').waitFor()
    await page.getByText('The disk does not keep up.').waitFor()
    expect(await page.getByText('All is well').count()).toBe(0)
  })

  test('that cannot be read says so, and is read again', async () => {
    const { page } = await stay.visit(stay.owner.session, '/account', 'Your account')
    await page.route('**/admin/api/instance', (route) => route.fulfill({ status: 502, body: 'Bad gateway' }))
    await page.goto(`${stay.place.origin}/operator/instance`)
    await page.getByText('This could not be read').waitFor()
    await page.unroute('**/admin/api/instance')
    await press(page, 'Try again')
    await page.getByText('Running for').waitFor()
  })
})

test('whoever operates nothing is shown nothing of it, and is answered nothing', async () => {
  await stay.place.account('guest')
  const session = await stay.place.session('guest')
  for (const screen of ['instance', 'accounts', 'workspaces']) {
    const { page } = await stay.visit(session, `/operator/${screen}`, 'This is for operators')
    await heading(page, 'This is for operators')
    expect((await stay.place.call('GET', `/admin/api/${screen}`, { session })).status).toBe(403)
  }
})
