import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { SESSION_IDLE_MS } from '@reeve/auth'
import { type Instance, openInstance } from '../../support/instance.ts'

let instance: Instance
beforeEach(async () => {
  instance = await openInstance()
})
afterEach(() => instance.close())

/** What the page shows first, as the server knew. */
const readInitialState = (html: string): string =>
  /<html [^>]*data-auth-state="([^"]+)"/.exec(html)?.[1] ?? ''

const readPageState = async (session?: string, path = '/') =>
  readInitialState((await instance.request('GET', path, session === undefined ? {} : { session })).text)

/** The files that the page asks for. */
const listAssetFiles = (html: string): string[] =>
  [...html.matchAll(/(?:src|href)="(\/portal\/[^"]+)"/g)].map(([, assetPath]) => assetPath as string)

const PLACES = [
  '/',
  '/sign-in',
  '/account',
  '/workspaces/new',
  '/w/0198c0de/moderation/players/26.1',
  '/operator',
]

describe('the page', () => {
  test('is the set-up form until there is an account, whatever the cookie', async () => {
    expect(await readPageState()).toBe('first-run')
    expect(await readPageState('junk')).toBe('first-run')
  })

  test('shows the sign-in form without a valid session, and the portal with one', async () => {
    const session = await instance.session(await instance.account())
    expect(await readPageState()).toBe('sign-in')
    expect(await readPageState('')).toBe('sign-in')
    expect(await readPageState('junk')).toBe('sign-in')
    for (const path of PLACES) expect(await readPageState(session, path)).toBe('signed-in')
    instance.clock.advance(SESSION_IDLE_MS)
    expect(await readPageState(session)).toBe('sign-in')
  })

  test('says nothing of anyone by itself', async () => {
    const session = await instance.session(await instance.account('Wren-of-the-north'))
    const { text } = await instance.request('GET', '/', { session })
    expect(text).not.toContain('Wren')
    expect(text).not.toContain(session)
    expect(text).not.toContain(instance.firstRunCode.text)
  })

  test('is kept by nobody, framed by nobody, and runs no script but its own', async () => {
    for (const path of PLACES) {
      const { status, headers, text } = await instance.request('GET', path)
      expect(status).toBe(200)
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      const nonce = /nonce="([^"]+)"/.exec(text)?.[1]
      expect(headers.get('content-security-policy')).toBe(
        `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; connect-src 'self'; ` +
          "img-src 'self' data: blob:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
      )
      expect(text).not.toMatch(/<script(?![^>]* src=)|<style| style=| on[a-z]+=/)
    }
  })

  test('names its styles anew in every answer', async () => {
    const nonces = new Set<string>()
    for (let attempt = 0; attempt < 20; attempt++) {
      const { text } = await instance.request('GET', '/')
      nonces.add(/nonce="([^"]+)"/.exec(text)?.[1] ?? '')
    }
    expect(nonces.size).toBe(20)
    for (const nonce of nonces) expect(Buffer.from(nonce, 'base64')).toHaveLength(16)
  })

  test('leaves every refusal JSON, for browsers too', async () => {
    const headers = { accept: 'text/html' }
    for (const [method, path, status, code] of [
      ['GET', '/nowhere', 404, 'not_found'],
      ['GET', '/portal', 404, 'not_found'],
      ['GET', '/w', 404, 'not_found'],
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

test('its files may be kept for ever, and come as small as the browser can take them', async () => {
  const { text } = await instance.request('GET', '/')
  const assetPaths = listAssetFiles(text)
  expect(assetPaths).toHaveLength(3)
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
      const packed = await instance.request('GET', assetPath, { headers: { 'accept-encoding': accepted } })
      expect(packed.headers.get('content-encoding')).toBe(encoding)
      expect(packed.headers.get('vary')).toBe('Accept-Encoding')
      expect(packed.text.length).toBeLessThan(plain.text.length)
    }
  }
})
