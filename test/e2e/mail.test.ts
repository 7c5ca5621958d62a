import { expect, test } from 'bun:test'
import { openE2eSession, useSession } from '../support/e2e-session.ts'
import { startMailServer } from '../support/mail-server.ts'
import { DESKTOP, expectFocus, fillIn, PHONE, pressButton, waitForHeading } from '../support/page-actions.ts'
import { expectNoPageErrors } from '../support/page-errors.ts'
import { type ReceivedMail, readMailCode } from '../support/received-mail.ts'
import { GROUP, OWNER } from '../support/server.ts'

async function openSessionWithMail() {
  const mailServer = await startMailServer({ login: { user: 'reeve', password: 'p@ss word' } })
  const e2e = await openE2eSession({
    REEVE_SMTP_URL: mailServer.url,
    REEVE_MAIL_FROM: 'Reeve <reeve@example.com>',
  })
  return {
    ...e2e,
    mailServer,
    close: () => Promise.all([e2e.close(), mailServer.close()]),
  }
}

const e2e = useSession(openSessionWithMail)
const NEW_PASSWORD = 'four words that I chose'
const ADDRESS = 'robin@example.com'

const readLink = ({ text }: ReceivedMail): string => /http\S+#\S+/.exec(text)?.[0] ?? ''

test('an address is confirmed, and a forgotten password replaced with the link of a mail', async () => {
  const { mailServer } = e2e
  const account = await e2e.openScreen('/account', { browser: DESKTOP, heading: 'Your account' })
  await fillIn(account.page, { 'E-mail address': ADDRESS })
  await pressButton(account.page, 'Add address')
  await expectFocus(account.page, 'code')
  await fillIn(account.page, { 'Code from the e-mail': '0000-0000' })
  await pressButton(account.page, 'Confirm address')
  await account.page.getByText('Code from the e-mail is not correct').waitFor()
  const code = readMailCode(await mailServer.waitForMail(ADDRESS, 'Confirm'))
  await fillIn(account.page, { 'Code from the e-mail': code })
  await pressButton(account.page, 'Confirm address')
  await account.page.getByText('E-mail address confirmed.').waitFor()
  await account.page.getByText(ADDRESS, { exact: true }).waitFor()

  const tab = await e2e.openScreen('/sign-in', { browser: PHONE, session: null, heading: 'Sign in' })
  await pressButton(tab.page, 'Forgot your password?')
  await expectFocus(tab.page, 'login')
  await fillIn(tab.page, { 'Username or e-mail address': OWNER })
  await pressButton(tab.page, 'Send link')
  await tab.page.getByText('a link is on its way').waitFor()
  await tab.page.goto(readLink(await mailServer.waitForMail(ADDRESS, 'Set a new password')))
  await waitForHeading(tab.page, 'Set a new password')
  await fillIn(tab.page, { 'New password': NEW_PASSWORD })
  await pressButton(tab.page, 'Set password')
  await waitForHeading(tab.page, GROUP)
  await mailServer.waitForMail(ADDRESS, 'Your password was changed')
  await expectNoPageErrors(tab)

  // The owner can still change their mind.
  const session = await e2e.server.session(OWNER, NEW_PASSWORD)
  const { page } = await e2e.openScreen('/account', { browser: PHONE, session, heading: 'Your account' })
  await pressButton(page, 'Remove the e-mail address')
  await pressButton(page, 'Remove address')
  await page.getByText('E-mail address removed.').waitFor()
  await page.getByRole('button', { name: 'Add address' }).waitFor()
  expect(await page.getByText(ADDRESS).count()).toBe(0)
})
