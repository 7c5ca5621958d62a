import { expect, test } from 'bun:test'
import { openE2eSession, useSession } from '../support/e2e-session.ts'
import {
  chooseMenuItem,
  expectSettled,
  pressButton,
  signIn,
  waitForHeading,
} from '../support/page-actions.ts'
import { expectNoPageErrors } from '../support/page-errors.ts'
import { OWNER } from '../support/server.ts'

const e2e = useSession(openE2eSession)

test('the instance log shows operators who did what to which account, and can be filtered', async () => {
  await e2e.server.createAccount('juniper')
  const accounts = await e2e.openScreen('/operator/accounts?q=juniper', { heading: 'Accounts' })
  await chooseMenuItem(accounts.page, 'Actions for juniper', 'Make operator…')
  await accounts.page.getByRole('dialog').getByRole('button', { name: 'Make operator' }).click()
  await accounts.page.getByText('Operator', { exact: true }).waitFor()

  const tab = await e2e.openScreen('/operator/audit', { heading: 'Instance log' })
  const { page } = tab
  const changes = page.getByRole('list', { name: 'Changes' }).getByRole('article')
  await page.getByRole('article', { name: `${OWNER} granted operator access to juniper` }).waitFor()
  await page.getByRole('article', { name: 'reeve (command line) created the account juniper' }).waitFor()
  await pressButton(page, `Details: ${OWNER} granted operator access to juniper`)
  await page.getByRole('term').filter({ hasText: 'Is operator' }).waitFor()

  await page.getByRole('combobox', { name: 'Action' }).click()
  await page.getByRole('option', { name: 'Account created' }).click()
  await page
    .getByRole('article', { name: `${OWNER} granted operator access to juniper` })
    .waitFor({ state: 'detached' })
  expect(new URL(page.url()).search).toBe('?what=accounts.create')
  await page.getByRole('combobox', { name: 'Account', exact: true }).click()
  await page.getByRole('option', { name: 'juniper' }).click()
  await page.getByRole('article', { name: 'reeve (command line) created the account juniper' }).waitFor()
  await expectSettled(() => changes.count(), 1)
  await page.reload()
  await waitForHeading(page, 'Instance log')
  await page.getByRole('article', { name: 'reeve (command line) created the account juniper' }).waitFor()
  await pressButton(page, 'Clear filters')
  await page.getByRole('article', { name: `${OWNER} granted operator access to juniper` }).waitFor()
  await expectNoPageErrors(tab)
})

test('each account sees its own sign-ins and what others did to it', async () => {
  const id = await e2e.server.createAccount('willow')
  const session = await e2e.server.session('willow')
  await e2e.server.request('POST', '/portal/api/sign-in', {
    body: { username: 'willow', password: 'not the password' },
  })
  const operator = await e2e.server.session()
  await e2e.server.requestOk('POST', '/admin/api/accounts/link', { session: operator, body: { id } })
  await e2e.server.requestOk('PATCH', '/admin/api/accounts', {
    session: operator,
    body: { id, isOperator: 'true' },
  })
  const tab = await e2e.openScreen('/account', { session })
  const { page } = tab
  await waitForHeading(page, 'Your account')
  // The list is read once somebody scrolls to it.
  await page.getByRole('heading', { name: 'Security activity' }).scrollIntoViewIfNeeded()
  const activity = page.getByRole('list', { name: 'Security activity' }).getByRole('listitem')
  await activity.first().waitFor()
  const texts = (await activity.allInnerTexts()).map((text) => text.replace(/\s+/g, ' '))
  expect(texts).toEqual([
    expect.stringMatching(new RegExp(`^Operator access granted .* · by ${OWNER}$`)),
    expect.stringMatching(new RegExp(`^Link to set a password created .* · by ${OWNER}$`)),
    expect.stringMatching(/^Failed sign-in .* · 127\.0\.0\.1$/),
    // Its first browser is a new one.
    expect.stringMatching(/^Signed in New device .* · 127\.0\.0\.1$/),
    expect.stringMatching(/^Account created .* · by reeve \(command line\)$/),
  ])
  await expectNoPageErrors(tab)
})

test('a sign-in in a browser in which the account has signed in before is not marked as a new device', async () => {
  await e2e.server.createAccount('alder')
  const { page } = await e2e.openScreen('/sign-in', { session: null })
  const enter = async () => {
    await signIn(page, 'alder')
    await page.getByRole('button', { name: /^Signed in as/ }).waitFor()
  }
  await enter()
  await chooseMenuItem(page, /^Signed in as alder/, 'Sign out')
  await waitForHeading(page, 'Sign in')
  await enter()
  await page.goto(new URL('/account', page.url()).href)
  await waitForHeading(page, 'Your account')
  await page.getByRole('heading', { name: 'Security activity' }).scrollIntoViewIfNeeded()
  const signIns = page
    .getByRole('list', { name: 'Security activity' })
    .getByRole('listitem')
    .filter({ hasText: /^Signed in/ })
  await signIns.nth(1).waitFor()
  const texts = await signIns.allInnerTexts()
  expect(texts.map((text) => text.includes('New device'))).toEqual([false, true])
})
