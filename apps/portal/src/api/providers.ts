import { api, unwrap } from './client.ts'

/** An identity provider that people can sign in with. */
export interface Provider {
  readonly id: string
  readonly name: string
}

function readProviders(): readonly Provider[] {
  const { providers } = document.documentElement.dataset
  return providers === undefined ? [] : (JSON.parse(providers) as Provider[])
}

/** The configured identity providers, as the server put them into the page. */
export const providers: readonly Provider[] = readProviders()

/** What happens after the browser has come back from the provider. */
export interface ProviderReturn {
  /** The page to open; a path of the portal. */
  readonly path: string
  /** The token of the invitation that a new account accepts. */
  readonly invitation?: string
  /** Whether the tab was opened for this only, and closes. */
  readonly closesTab?: boolean
}

// In the storage of the tab, because the token of an invitation must not leave the browser.
const storageKey = (state: string): string => `reeve-sign-in:${state}`

function storeReturn(storage: Storage, authorizationUrl: string, value: ProviderReturn): void {
  const state = new URL(authorizationUrl).searchParams.get('state') ?? ''
  storage.setItem(storageKey(state), JSON.stringify(value))
}

/** What a sign-in was started for, by the state that the provider returns; it is forgotten. */
export function takeReturn(state: string | null): ProviderReturn {
  const text = state === null ? null : sessionStorage.getItem(storageKey(state))
  if (state === null || text === null) return { path: '/' }
  sessionStorage.removeItem(storageKey(state))
  return JSON.parse(text) as ProviderReturn
}

/** Begins a sign-in and leaves the page. @throws ApiError */
export async function signInWithProvider(provider: string, onReturn: ProviderReturn): Promise<void> {
  const { url } = await unwrap(api.POST('/portal/api/sign-in/provider', { body: { provider } }))
  leaveFor(url, onReturn)
}

/** Begins to link an account of a provider and leaves the page. @throws ApiError */
export async function linkProvider(provider: string, onReturn: ProviderReturn): Promise<void> {
  const { url } = await unwrap(api.POST('/portal/api/identities', { body: { provider } }))
  leaveFor(url, onReturn)
}

function leaveFor(url: string, onReturn: ProviderReturn): void {
  storeReturn(sessionStorage, url, onReturn)
  window.location.assign(url)
}

/**
 * Begins a sign-in in a new tab, so that this page keeps what was typed. The page learns of the sign-in as other tabs do.
 * @throws ApiError; BlockedTabError
 */
export const signInInNewTab = (provider: string): Promise<void> =>
  goInNewTab(() => unwrap(api.POST('/portal/api/sign-in/provider', { body: { provider } })))

/** Begins to confirm who is using the session, in a new tab as well. @throws ApiError; BlockedTabError */
export const verifyInNewTab = (provider: string): Promise<void> =>
  goInNewTab(() => unwrap(api.POST('/portal/api/verification/provider', { body: { provider } })))

async function goInNewTab(begin: () => Promise<{ readonly url: string }>): Promise<void> {
  // At once: browsers open tabs only while they handle a click.
  const tab = window.open('about:blank', '_blank')
  if (tab === null) throw new BlockedTabError()
  try {
    const { url } = await begin()
    storeReturn(tab.sessionStorage, url, { path: '/', closesTab: true })
    tab.location.replace(url)
  } catch (error) {
    tab.close()
    throw error
  }
}

/** The browser did not open a tab. */
export class BlockedTabError extends Error {}
