import type { Page } from 'playwright-core'
import { PASSWORD } from '../support/instance.ts'
import { fillIn, pressButton } from '../support/page-actions.ts'
import type { ScreenContext, ScreenFile } from '../support/screen-states.ts'

const USERNAME = 'tansy'
const AT = '2027-03-01T18:00:00.000Z'

let linkToken = ''

/** An account that owns nothing, with a link for a new password. */
async function prepare({ server, owner: { session } }: ScreenContext): Promise<void> {
  const id = await server.createAccount(USERNAME)
  const { body } = await server.requestOk('POST', '/admin/api/accounts/link', { session, body: { id } })
  linkToken = String(body.link.token)
}

const account = { path: '/account', heading: 'Your account' } as const
const asTansy = ({ server }: ScreenContext): Promise<string> => server.session(USERNAME, PASSWORD)

const passkey = { authenticator: null, isSynced: 'false', isUsable: 'true', createdAt: AT, lastUsedAt: null }
const passkeys = [
  { ...passkey, id: 'a', name: 'iCloud Keychain', isSynced: 'true', lastUsedAt: AT },
  { ...passkey, id: 'b', name: 'W'.repeat(50), isUsable: 'false' },
]
const roblox = { id: 'roblox', name: 'Roblox' }
const linked = {
  issuer: 'https://discord.com',
  subject: '261000000000000000',
  providerName: 'Discord',
  name: 'tansy',
  linkedAt: AT,
  lastUsedAt: AT,
  isConfigured: 'true',
}

/** Opens the screen again as if the server had passkeys, which need a host name. */
async function showPasskeys(page: Page): Promise<void> {
  const { origin } = new URL(page.url())
  const shown = { passkeys, origin, problem: null, limit: '20' }
  await page.route('**/portal/api/factors', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ json: { ...(await response.json()), passkeys: shown } })
  })
  await page.reload()
  await page.getByRole('list', { name: 'Your passkeys' }).waitFor()
}

/** Opens the screen again as if the server had identity providers, which depend on its settings. */
async function showProviders(page: Page): Promise<void> {
  await page.route('**/portal/api/identities', (route) => route.fulfill({ json: { identities: [linked] } }))
  await page.route(page.url(), async (route) => {
    const response = await route.fetch()
    const providers = JSON.stringify([roblox, { id: 'discord', name: 'Discord' }])
    const body = (await response.text()).replace('<html', `<html data-providers='${providers}'`)
    await route.fulfill({ response, body })
  })
  await page.reload()
}

/** How the user signs in, what happened to the account, and its end. */
export const screens: ScreenFile = {
  prepare: prepare,
  states: [
    { ...account, name: 'account-passkeys', as: asTansy, arrange: showPasskeys },
    {
      ...account,
      name: 'account-passkey-rename',
      as: asTansy,
      async arrange(page) {
        await showPasskeys(page)
        await pressButton(page, 'Rename the passkey iCloud Keychain')
        await page.getByRole('dialog').getByLabel('Name', { exact: true }).waitFor()
      },
    },
    {
      ...account,
      name: 'account-identities',
      as: asTansy,
      async arrange(page) {
        await showProviders(page)
        await page.getByRole('button', { name: 'Unlink Discord' }).scrollIntoViewIfNeeded()
      },
    },
    {
      name: 'sign-in-providers',
      path: '/sign-in',
      as: 'anonymous',
      heading: 'Sign in',
      async arrange(page) {
        await showProviders(page)
        await page.getByRole('button', { name: 'Continue with Roblox' }).waitFor()
      },
    },
    {
      ...account,
      name: 'account-activity',
      as: asTansy,
      async arrange(page) {
        await page.getByRole('heading', { name: 'Security activity' }).scrollIntoViewIfNeeded()
        await page.getByRole('list', { name: 'Security activity' }).waitFor()
      },
    },
    {
      ...account,
      name: 'account-delete',
      as: asTansy,
      async arrange(page) {
        await pressButton(page, 'Delete account…')
        await page.getByRole('dialog').getByRole('button', { name: 'Delete my account' }).waitFor()
      },
    },
    {
      name: 'password-link',
      path: () => `/sign-in/password#${linkToken}`,
      as: 'anonymous',
      heading: 'Set a new password',
      allowedErrors: /status of 400/,
      async arrange(page) {
        await fillIn(page, { 'New password': 'short' })
        await pressButton(page, 'Set password')
        await page.getByText('New password must be').waitFor()
      },
    },
    {
      name: 'password-link-used',
      path: '/sign-in/password#there-never-was-one',
      as: 'anonymous',
      heading: 'This link does not work',
      allowedErrors: /status of 4(00|04|29)/,
    },
  ],
}
