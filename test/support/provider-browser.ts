import type { Instance, TestResponse } from './instance.ts'
import { agreeAt } from './oauth-stand-in.ts'

const SESSION_COOKIE = 'reeve_session'

/** A browser that keeps its cookies and signs in with a provider. */
export function createProviderBrowser(instance: Pick<Instance, 'request'>, session?: string) {
  const cookies = new Map<string, string>(session === undefined ? [] : [[SESSION_COOKIE, session]])

  async function request(method: string, path: string, body?: object): Promise<TestResponse> {
    const response = await instance.request(method, path, {
      headers: {
        'sec-fetch-site': 'same-origin',
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      },
      ...(body === undefined ? {} : { body }),
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      cookies.set(name, value)
    }
    return response
  }

  const start = (provider: string): Promise<TestResponse> =>
    request('POST', '/portal/api/sign-in/provider', { provider })
  const startLink = (provider: string): Promise<TestResponse> =>
    request('POST', '/portal/api/identities', { provider })
  const finish = (provider: string, parameters: string, more: object = {}): Promise<TestResponse> =>
    request('POST', '/portal/api/sign-in/callback', { provider, parameters, ...more })

  /** Goes to the provider, agrees there and comes back. */
  async function signIn(provider: string, more: object = {}): Promise<TestResponse> {
    const started = await start(provider)
    return started.status === 200 ? finish(provider, (await agreeAt(started.body.url)).search, more) : started
  }
  async function link(provider: string): Promise<TestResponse> {
    const started = await startLink(provider)
    return started.status === 200 ? finish(provider, (await agreeAt(started.body.url)).search) : started
  }

  return {
    cookies,
    request,
    start,
    startLink,
    finish,
    signIn,
    link,
    /** The name of the account that is signed in; null without a session. */
    async readUsername(): Promise<string | null> {
      const { body, status } = await request('GET', '/portal/api/me')
      return status === 200 ? body.account.username : null
    },
  }
}
