import type { Page } from 'playwright-core'
import { startDiscordSignIn } from './discord-sign-in.ts'
import { openE2eSession } from './e2e-session.ts'
import { startOpenIdProvider } from './openid-provider/start.ts'
import { pressButton } from './page-actions.ts'
import { startRobloxSignIn } from './roblox-sign-in.ts'
import { forgetVerifications } from './session-verifications.ts'

/** A server with three providers: stand-ins for Roblox and Discord, and an independent implementation of OpenID Connect. */
export async function openSessionWithProviders() {
  const [roblox, company, discord] = [
    await startRobloxSignIn(),
    await startOpenIdProvider(),
    startDiscordSignIn(),
  ]
  const e2e = await openE2eSession({
    ...{ ...roblox.env, ...company.env, ...discord.env },
    ...{ REEVE_OIDC_COMPANY_NAME: 'Night Shift SSO', REEVE_OIDC_COMPANY_CREATE: 'true' },
  })
  await company.register(e2e.server.origin)
  let subjectCount = 70_000
  return {
    ...e2e,
    roblox,
    discord,
    /** Lets a new person sign in at Roblox and Discord from now on. */
    becomeSomebody(username: string) {
      subjectCount += 1
      const user = { subject: String(subjectCount), username }
      roblox.oauth.user = user
      discord.oauth.user = user
      return user
    },
    forgetVerifications: () => forgetVerifications(e2e),
    issuers: [roblox.issuer, company.issuer, discord.issuer],
    async resetTest() {
      roblox.mend()
      await e2e.resetTest()
    },
    close: () => Promise.all([e2e.close(), roblox.stop(), company.stop(), discord.stop()]),
  }
}

/** Signs in at the real provider, which asks for a name and for consent. */
export async function signInAtCompany(page: Page, name: string): Promise<void> {
  // Its pages import a font from elsewhere.
  await page.route(/googleapis/, (route) => route.abort())
  await pressButton(page, 'Continue with Night Shift SSO')
  await enterPasswordAtCompany(page, name)
  await page.getByRole('button', { name: 'Continue' }).click()
}

export async function enterPasswordAtCompany(page: Page, name: string): Promise<void> {
  await page.getByPlaceholder('Enter any login').fill(name)
  await page.getByPlaceholder('and password').fill('anything')
  await page.getByRole('button', { name: 'Sign-in' }).click()
}
