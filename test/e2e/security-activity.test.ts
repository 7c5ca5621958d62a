import { expect, test } from 'bun:test'
import { openE2eSession, useSession } from '../support/e2e-session.ts'
import { chooseMenuItem, pressButton, waitForHeading } from '../support/page-actions.ts'
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
  expect(await changes.count()).toBe(1)
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
  await e2e.server.requestOk('PATCH', '/admin/api/accounts', {
    session: await e2e.server.session(),
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
    expect.stringMatching(/^Signed in .* · 127\.0\.0\.1$/),
    expect.stringMatching(/^Account created .* · by reeve \(command line\)$/),
  ])
  await expectNoPageErrors(tab)
})
