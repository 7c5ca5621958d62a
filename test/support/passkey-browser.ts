import type { BrowserContextOptions, CDPSession, Page } from 'playwright-core'
import { type Browser, openInstanceServer, openTab } from './browser.ts'
import { WAIT_MS } from './page-actions.ts'
import { startTestServer } from './server.ts'

/** A port that nothing listens on, because a host name in the public URL needs one before the start. */
function findFreePort(): number {
  const probe = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })
  const { port } = probe
  probe.stop(true)
  return port
}

/** Starts the built program at a URL with a host name, which passkeys need. */
export async function startPasskeyServer() {
  const port = findFreePort()
  const origin = `http://localhost:${port}`
  const server = await startTestServer({ REEVE_PUBLIC_URL: origin }, ['--port', String(port)])
  return { ...server, origin, cookie: (token: string) => ({ ...server.cookie(token), url: origin }) }
}

/** Where a browser uses passkeys. */
type PasskeySite = Pick<Awaited<ReturnType<typeof startPasskeyServer>>, 'origin' | 'cookie'>

/** Starts a server in this process, whose clock the test moves, at a URL with a host name. */
export async function openPasskeyInstance() {
  const port = findFreePort()
  const origin = `http://localhost:${port}`
  const server = await openInstanceServer({ publicUrl: origin }, port)
  return { ...server, origin, cookie: (token: string) => ({ ...server.cookie(token), url: origin }) }
}

interface AuthenticatorOptions {
  /** `usb` is a security key. Default: one of the device. */
  readonly transport?: 'internal' | 'usb'
  /** Whether it verifies its user. Default: true. */
  readonly isUserVerified?: boolean
}

/** An authenticator of Chromium, without hardware. https://chromedevtools.github.io/devtools-protocol/tot/WebAuthn/ */
async function addAuthenticator(client: CDPSession, options: AuthenticatorOptions = {}): Promise<string> {
  const { transport = 'internal', isUserVerified = true } = options
  const { authenticatorId } = await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      ctap2Version: 'ctap2_1',
      transport,
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified,
      automaticPresenceSimulation: true,
    },
  })
  return authenticatorId
}

interface PasskeyTabOptions extends AuthenticatorOptions {
  /** Session token; none for an anonymous visitor. */
  readonly session?: string
  /** Whether the browser offers passkeys among the suggestions of a field. Default: false, so that tests say when one is used. */
  readonly hasAutofill?: boolean
  readonly browser?: BrowserContextOptions
}

const WITHOUT_AUTOFILL = 'PublicKeyCredential.isConditionalMediationAvailable = async () => false'

/** Opens a page in a browser that has an authenticator. */
export async function openPasskeyTab(
  browser: Browser,
  server: PasskeySite,
  path: string,
  options: PasskeyTabOptions = {},
) {
  let client: CDPSession | undefined
  const prepare = async (page: Page) => {
    client = await page.context().newCDPSession(page)
    await client.send('WebAuthn.enable', { enableUI: false })
    if (!options.hasAutofill) await page.addInitScript({ content: WITHOUT_AUTOFILL })
  }
  const cookies = options.session === undefined ? [] : [server.cookie(options.session)]
  const tab = await openTab(browser, `${server.origin}${path}`, options.browser, cookies, prepare)
  tab.page.setDefaultTimeout(WAIT_MS)
  if (!client) throw new Error('the page was not prepared')
  const cdp = client
  let authenticatorId = await addAuthenticator(cdp, options)
  return {
    ...tab,
    /** Replaces the authenticator by another one. */
    async replaceAuthenticator(other: AuthenticatorOptions) {
      await cdp.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId })
      authenticatorId = await addAuthenticator(cdp, other)
    },
    /** What happens when the user cancels, or has no finger left. */
    setUserVerified: (isUserVerified: boolean) =>
      cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
    listCredentials: async () => (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials,
  }
}

export type PasskeyTab = Awaited<ReturnType<typeof openPasskeyTab>>
