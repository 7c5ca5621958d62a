import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import {
  type Browser,
  type InstanceServer,
  openBrowser,
  openInstanceServer,
  openTab,
  settlePages,
} from '../support/browser.ts'
import { listScreenStates } from '../support/screen-states.ts'
import { MARKUP, plantMarkup } from './planted-markup.ts'
import { createTenant, type Tenant } from './tenant.ts'

setDefaultTimeout(120_000)

let server: InstanceServer
let browser: Browser
let tenant: Tenant
let operatorSession: string
let unset: string[]

beforeAll(async () => {
  server = await openInstanceServer()
  const { instance } = server
  operatorSession = await instance.session(await instance.account(undefined, true))
  tenant = await createTenant(instance)
  unset = await plantMarkup(instance, tenant, operatorSession)
  browser = await openBrowser()
})
afterAll(async () => {
  await browser.close()
  await server.close()
})

/** Called by planted markup. */
const RECORD_HITS = "globalThis.hits = []; globalThis.hit = () => { hits.push('script ran') }"

const openPath = (path: string, session: string | null) =>
  openTab(
    browser,
    `${server.origin}${path}`,
    {},
    session === null ? [] : [{ name: 'reeve_session', value: session, url: server.origin }],
    (page) => page.addInitScript({ content: RECORD_HITS }),
  )

test('markup is stored in every text field that a request can set', () => {
  expect(unset, 'no generated request sets these: list them in OTHER_TEXTS with the reason').toEqual([])
})

test('markup in every text field is shown as text on every screen', async () => {
  const states = await listScreenStates()
  const paths = new Set(states.flatMap(({ path }) => (typeof path === 'string' ? [path] : [])))
  expect(paths.size).toBeGreaterThan(15)
  let shown = 0
  for (const path of paths) {
    const session = path.startsWith('/operator') ? operatorSession : tenant.session
    const { page, listCspViolations, close } = await openPath(path.replace('$', tenant.workspaceId), session)
    await settlePages(20_000)
    const injected = await page.evaluate<number>('document.querySelectorAll("[onerror], img[src=x]").length')
    const text = await page.evaluate<string>('document.body.innerText')
    if (text.includes(MARKUP)) shown += 1
    expect([path, injected, await page.evaluate('hits'), await listCspViolations()]).toEqual([
      path,
      0,
      [],
      [],
    ])
    await close()
  }
  // Otherwise nothing was shown that could have run.
  expect(shown).toBeGreaterThan(5)
})

test('no cell of a CSV file begins like a formula', async () => {
  for (const name of ['audit', 'moderation', 'usage']) {
    const path = `/portal/api/${name}.csv?workspaceId=${tenant.workspaceId}`
    const { status, text } = await server.instance.request('GET', path, { session: tenant.session })
    expect(status).toBe(200)
    expect(text.match(/(?:^|,|\n)"?[=+@\t]/g), name).toBeNull()
    if (name !== 'usage') expect(text).toContain('onerror=hit()')
  }
})

/** Images that are also scripts or pages. */
const POLYGLOTS: Readonly<Record<string, Uint8Array>> = {
  'a GIF that is a script': Buffer.from('GIF89a=0;hit();//\0\0\0\0;', 'latin1'),
  'a GIF with a page after it': Buffer.concat([
    Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64'),
    Buffer.from('<script>hit()</script>'),
  ]),
  'a PNG with a page after it': Buffer.concat([
    Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mOor6//DwAFhAKA6MdEIwAAAABJRU5ErkJggg==',
      'base64',
    ),
    Buffer.from('<html><script>hit()</script></html>'),
  ]),
}

test('an image that is also a script or a page runs nothing', async () => {
  for (const [name, bytes] of Object.entries(POLYGLOTS)) {
    const type = name.includes('PNG') ? 'png' : 'gif'
    const imageDataUrl = `data:image/${type};base64,${Buffer.from(bytes).toString('base64')}`
    const { status, body } = await server.instance.request('POST', '/api/events', {
      session: tenant.session,
      body: { workspaceId: tenant.workspaceId, title: name, scheduledFor: '1900000000000', imageDataUrl },
    })
    if (status === 400) continue
    expect([name, status]).toEqual([name, 200])
    const url = new URL(body.event.imageUrl, server.origin).pathname
    const image = await openPath(url, tenant.session)
    expect([name, await image.page.evaluate('globalThis.hits ?? []')]).toEqual([name, []])
    await image.close()
    const portal = await openPath('/account', tenant.session)
    await portal.page.evaluate(`new Promise((resolve) => {
      const script = document.createElement('script')
      script.src = ${JSON.stringify(url)}
      script.onload = script.onerror = resolve
      document.head.append(script)
    })`)
    expect([name, await portal.page.evaluate('hits')]).toEqual([name, []])
    await portal.close()
  }
})

test('the API reference runs without the session and reports nothing', async () => {
  const { page, listCspViolations, close } = await openPath('/docs', tenant.session)
  await page.getByRole('heading', { name: 'Reeve' }).first().waitFor()
  expect(await page.evaluate('self.origin')).toBe('null')
  expect(await page.evaluate('hits')).toEqual([])
  expect(await listCspViolations()).toEqual([])
  await close()
})
