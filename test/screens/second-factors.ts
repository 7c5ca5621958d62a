import type { Page } from 'playwright-core'
import { fillIn, pressButton, signIn } from '../support/page-actions.ts'
import type { ScreenContext, ScreenFile } from '../support/screen-states.ts'
import { readAuthenticator } from '../support/totp.ts'

const USERNAME = 'sorrel'
const FORBIDDEN = /status of 403/

let session = ''

/** An account with an authenticator app. */
async function prepare({ server }: ScreenContext): Promise<void> {
  await server.createAccount(USERNAME)
  session = await server.session(USERNAME)
  const started = await server.requestOk('POST', '/portal/api/factors/totp', { session, body: {} })
  const { token, secret } = started.body
  const body = { token, code: readAuthenticator(secret, Date.now()) }
  await server.requestOk('POST', '/portal/api/factors/totp/confirm', { session, body })
}

const account = { path: '/account', heading: 'Your account' } as const
const asSorrel = async (): Promise<string> => session

/** Signs in as far as the second factor. */
async function enterPassword(page: Page): Promise<void> {
  await signIn(page, USERNAME)
  await page.getByRole('textbox', { name: 'Code', exact: true }).waitFor()
}

const SECOND_FACTORS = ['passkey', 'totp', 'recovery_code']

/** Lets the server ask who is there, as it does ten minutes after a sign-in. */
async function askForVerification(page: Page): Promise<void> {
  await page.route('**/portal/api/factors/*', (route) =>
    route.fulfill({
      status: 403,
      json: { error: 'Confirm that it is you.', code: 'forbidden', reason: 'verification_required' },
    }),
  )
}

/** Second factors: at sign-in, in the account, and before sensitive actions. */
export const screens: ScreenFile = {
  prepare: prepare,
  states: [
    {
      name: 'sign-in-code',
      path: '/sign-in',
      as: 'anonymous',
      heading: 'Sign in',
      arrange: enterPassword,
    },
    {
      name: 'sign-in-recovery-code',
      path: '/sign-in',
      as: 'anonymous',
      heading: 'Sign in',
      allowedErrors: /status of 40[01]/,
      async arrange(page) {
        await enterPassword(page)
        await pressButton(page, 'Use a recovery code')
        await fillIn(page, { 'Recovery code': 'AAAA-AAAA-AAAA' })
        await pressButton(page, 'Continue')
        await page.getByText(/not correct|must/).waitFor()
      },
    },
    {
      name: 'sign-in-passkey-or-code',
      needsHostName: true,
      // The URL of this server has no host name, so it offers no passkeys.
      allowedErrors: /status of 409/,
      path: '/sign-in',
      as: 'anonymous',
      heading: 'Sign in',
      async arrange(page) {
        await page.route('**/portal/api/sign-in', async (route) => {
          const response = await route.fetch()
          const { secondFactor, ...body } = await response.json()
          await route.fulfill({
            json: { ...body, secondFactor: { ...secondFactor, factors: SECOND_FACTORS } },
          })
        })
        await enterPassword(page)
        await page.getByRole('button', { name: 'Use a passkey' }).waitFor()
      },
    },
    {
      ...account,
      name: 'account-second-factors',
      as: asSorrel,
      arrange: (page) => page.getByText('10 of 10 left').scrollIntoViewIfNeeded(),
    },
    {
      ...account,
      name: 'account-add-app',
      async arrange(page) {
        await pressButton(page, 'Add an app')
        await page.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor()
      },
    },
    {
      ...account,
      name: 'account-recovery-codes',
      as: asSorrel,
      async arrange(page) {
        await pressButton(page, 'Create new codes')
        await page.getByRole('dialog').getByRole('button', { name: 'Create new codes' }).click()
        await page.getByRole('list', { name: 'Recovery codes' }).waitFor()
      },
    },
    {
      ...account,
      name: 'account-factor-required',
      async arrange(page) {
        await page.route('**/portal/api/me', async (route) => {
          const response = await route.fetch()
          await route.fulfill({ json: { ...(await response.json()), missingSecondFactor: 'add' } })
        })
        await page.reload()
        await page.getByText('This instance requires a second factor').scrollIntoViewIfNeeded()
      },
    },
    {
      ...account,
      name: 'verification-password',
      allowedErrors: FORBIDDEN,
      async arrange(page) {
        await askForVerification(page)
        await pressButton(page, 'Add an app')
        await page.getByRole('textbox', { name: 'Your password' }).waitFor()
      },
    },
    {
      ...account,
      name: 'verification-passkey',
      needsHostName: true,
      as: asSorrel,
      allowedErrors: FORBIDDEN,
      async arrange(page) {
        await page.route('**/portal/api/me', async (route) => {
          const response = await route.fetch()
          await route.fulfill({ json: { ...(await response.json()), verificationFactors: SECOND_FACTORS } })
        })
        await askForVerification(page)
        await pressButton(page, 'Replace the authenticator app')
        await page.getByRole('dialog').getByRole('button', { name: 'Use a passkey' }).waitFor()
      },
    },
    {
      ...account,
      name: 'verification-code',
      as: asSorrel,
      allowedErrors: FORBIDDEN,
      async arrange(page) {
        await askForVerification(page)
        await pressButton(page, 'Replace the authenticator app')
        await page.getByRole('textbox', { name: 'Code', exact: true }).waitFor()
      },
    },
  ],
}
