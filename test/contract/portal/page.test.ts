import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { SESSION_IDLE_MS } from '@reeve/auth'
import { type Instance, LEGACY_PREFIX, openInstance } from '../../support/instance.ts'

let instance: Instance
beforeEach(async () => {
  instance = await openInstance()
})
afterEach(() => instance.close())

/** The initial state that the server wrote into the page. */
const readInitialState = (html: string): string =>
  /<html [^>]*data-auth-state="([^"]+)"/.exec(html)?.[1] ?? ''

const readPageState = async (session?: string, path = '/') =>
  readInitialState((await instance.request('GET', path, session === undefined ? {} : { session })).text)

/** The scripts that the page contains. */
const listInlineScripts = (html: string): string[] =>
  [...html.matchAll(/<script>(.*?)<\/script>/gs)].map(([, script]) => script as string)

/** The files that the page references. */
const listAssetFiles = (html: string): string[] =>
  [...html.matchAll(/(?:src|href)="(\/portal\/[^"]+)"/g)].map(([, assetPath]) => assetPath as string)

const PATHS = [
  '/',
  '/sign-in',
  '/account',
  '/workspaces/new',
  '/w/0198c0de/moderation/players/26.1',
  '/operator',
]

describe('the page', () => {
  test('is the first-run form until an account exists, whatever the cookie', async () => {
    expect(await readPageState()).toBe('first-run')
    expect(await readPageState('junk')).toBe('first-run')
  })

  test('is the sign-in form without a valid session, and the portal with one', async () => {
    const session = await instance.session(await instance.account())
    expect(await readPageState()).toBe('sign-in')
    expect(await readPageState('')).toBe('sign-in')
    expect(await readPageState('junk')).toBe('sign-in')
    for (const path of PATHS) expect(await readPageState(session, path)).toBe('signed-in')
    instance.clock.advance(SESSION_IDLE_MS)
    expect(await readPageState(session)).toBe('sign-in')
  })

  test('contains no username, session token or first-run code', async () => {
    const session = await instance.session(await instance.account('Wren-of-the-north'))
    const { text } = await instance.request('GET', '/', { session })
    expect(text).not.toContain('Wren')
    expect(text).not.toContain(session)
    expect(text).not.toContain(instance.firstRunCode.text)
  })

  test('is not cached, cannot be framed, and runs only its own scripts', async () => {
    for (const path of PATHS) {
      const { status, headers, text } = await instance.request('GET', path)
      expect(status).toBe(200)
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      const nonce = /nonce="([^"]+)"/.exec(text)?.[1]
      const [inlineScript = '', ...others] = listInlineScripts(text)
      expect(others).toEqual([])
      const hash = createHash('sha256').update(inlineScript).digest('base64')
      expect(headers.get('content-security-policy')).toBe(
        `default-src 'none'; script-src 'self' 'sha256-${hash}'; style-src 'self' 'nonce-${nonce}'; connect-src 'self'; ` +
          "img-src 'self' data: blob:; media-src blob:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
      )
      expect(text).not.toMatch(/<style| style=| on[a-z]+=/)
    }
  })

  test('has a new nonce in every response', async () => {
    const nonces = new Set<string>()
    for (let attempt = 0; attempt < 20; attempt++) {
      const { text } = await instance.request('GET', '/')
      nonces.add(/nonce="([^"]+)"/.exec(text)?.[1] ?? '')
    }
    expect(nonces.size).toBe(20)
    for (const nonce of nonces) expect(Buffer.from(nonce, 'base64')).toHaveLength(16)
  })

  test('says with status 404 that a URL is unknown, if a browser opens it', async () => {
    const headers = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
    for (const path of ['/nope', '/portal', '/w', '/nope/nested?query=1', '/apis']) {
      const response = await instance.request('GET', path, { headers })
      expect([path, response.status]).toEqual([path, 404])
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(response.headers.get('cache-control')).toBe('no-store')
      expect(response.headers.get('content-security-policy')).toStartWith(
        "default-src 'none'; script-src 'self'",
      )
      expect(readInitialState(response.text)).toBe('not-found')
      expect((await instance.request('HEAD', path, { headers })).status).toBe(404)
      const program = await instance.request('GET', path, { headers: { accept: '*/*' } })
      expect([path, program.status, program.body?.code]).toEqual([path, 404, 'not_found'])
    }
  })

  test('is never an error response of the API or of its files, for browsers too', async () => {
    const headers = { accept: 'text/html' }
    for (const [method, path, status, code] of [
      ['POST', '/nowhere', 404, 'not_found'],
      ['GET', '/api', 404, 'not_found'],
      ['GET', '/api/nowhere', 404, 'not_found'],
      ['GET', `${LEGACY_PREFIX}/nowhere`, 404, 'not_found'],
      ['GET', '/admin/api/nowhere', 404, 'not_found'],
      ['GET', '/docs/nowhere', 404, 'not_found'],
      ['GET', '/portal/api/nowhere', 404, 'not_found'],
      ['GET', '/portal/assets/0123456789abcdef.js', 404, 'not_found'],
      ['POST', '/', 405, 'method_not_allowed'],
      ['POST', '/w/0198c0de/moderation', 405, 'method_not_allowed'],
    ] as const) {
      const response = await instance.request(method, path, { headers })
      expect([path, response.status, response.body?.code]).toEqual([path, status, code])
    }
    for (const path of ['/', '/w/0198c0de/moderation'])
      expect((await instance.request('POST', path)).headers.get('allow')).toBe('GET, HEAD')
  })
})

test('the files of the page can be cached forever, and are compressed as the browser accepts', async () => {
  const { text } = await instance.request('GET', '/')
  const assetPaths = listAssetFiles(text)
  expect(assetPaths.length).toBeGreaterThanOrEqual(2)
  for (const assetPath of assetPaths) {
    const plain = await instance.request('GET', assetPath)
    expect(plain.status).toBe(200)
    expect(plain.headers.get('content-type')).toMatch(/^text\/(css|javascript); charset=utf-8$/)
    expect(plain.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(plain.headers.get('x-content-type-options')).toBe('nosniff')
    for (const [accepted, encoding] of [
      ['gzip, deflate, br', 'br'],
      ['gzip', 'gzip'],
    ] as const) {
      const compressed = await instance.request('GET', assetPath, {
        headers: { 'accept-encoding': accepted },
      })
      expect(compressed.headers.get('content-encoding')).toBe(encoding)
      expect(compressed.headers.get('vary')).toBe('Accept-Encoding')
      expect(compressed.text.length).toBeLessThan(plain.text.length)
    }
  }
})

test('the page names the scripts of its screen, so that the browser requests them all at once', async () => {
  const session = await instance.session(await instance.account())
  const listScripts = async (path: string, options = {}) =>
    listAssetFiles((await instance.request('GET', path, options)).text)
      .filter((file) => file.endsWith('.js'))
      .map((file) => /\/([a-z-]+)-[\w-]{8}\.js$/.exec(file)?.[1] ?? file)
  const signInScripts = ['main', 'forms', 'sign-in']
  expect((await listScripts('/sign-in')).sort()).toEqual(signInScripts.sort())
  const scripts = await listScripts('/w/0198c0de/moderation/players/261', { session })
  expect(scripts).toEqual(expect.arrayContaining(['main', 'shell', 'moderation']))
  expect((await listScripts('/w/0198c0de/moderation')).sort()).toEqual(signInScripts.sort())
  expect(await listScripts('/operator/instance', { session })).toContain('operator')
})
