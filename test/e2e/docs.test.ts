import { afterAll, beforeAll, expect, test } from 'bun:test'
import {
  type Browser,
  type InstanceServer,
  openBrowser,
  openInstanceServer,
  openTab,
} from '../support/browser.ts'

let server: InstanceServer
let browser: Browser

beforeAll(async () => {
  server = await openInstanceServer()
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  await server?.close()
})

const openDocs = (path = '/docs') => openTab(browser.reused, new URL(path, server.origin).href)

test('the reference shows every operation, and asks no other host for anything', async () => {
  const { page, requestedUrls, listCrossOriginRequests, pageErrors, listCspViolations, close } =
    await openDocs()
  const summaries = new Set<string>()
  const { body: document } = await server.instance.request('GET', '/openapi.json')
  for (const operations of Object.values<Record<string, { summary: string }>>(document.paths)) {
    for (const { summary } of Object.values(operations)) summaries.add(summary)
  }
  await page.getByRole('heading', { name: 'Reeve', level: 1 }).waitFor()
  for (const group of document.tags) await page.getByText(group.name, { exact: true }).first().waitFor()
  for (const summary of summaries) {
    const heading = page.getByText(summary, { exact: true }).first()
    await heading.waitFor({ state: 'attached' })
    await heading.scrollIntoViewIfNeeded()
  }
  await page.evaluate('new Promise((settled) => requestIdleCallback(settled))')
  expect(requestedUrls.length).toBeGreaterThan(2)
  expect(listCrossOriginRequests()).toEqual([])
  expect(await listCspViolations()).toEqual([])
  expect(pageErrors).toEqual([])
  await close()
}, 60_000)

test('an operation opened by its address is shown, with its permission', async () => {
  const { page, listCrossOriginRequests, listCspViolations, close } = await openDocs(
    '/docs#tag/departments/POST/api/departments',
  )
  await page.getByText('Create, update, delete or restore a department').first().waitFor()
  await page.getByText('departments.manage').first().waitFor()
  expect(listCrossOriginRequests()).toEqual([])
  expect(await listCspViolations()).toEqual([])
  await close()
}, 60_000)

test('no script of another origin would run', async () => {
  const { page, listCspViolations, close } = await openDocs()
  const scriptRan = await page.evaluate(`
    const script = document.createElement('script')
    script.textContent = 'globalThis.planted = true'
    document.body.append(script)
    fetch('https://elsewhere.example/').then(() => true, () => 'planted' in globalThis)
  `)
  expect(scriptRan).toBe(false)
  expect((await listCspViolations()).map((one) => one.split(' ')[0]).sort()).toEqual([
    'connect-src',
    'script-src-elem',
  ])
  await close()
}, 60_000)

test('its script never has the session: it is signed out, can store nothing and can send no request of the portal', async () => {
  const { instance, origin } = server
  const session = await instance.session(await instance.account())
  const cookie = {
    name: 'reeve_session',
    value: session,
    url: origin,
    httpOnly: true,
    sameSite: 'Lax' as const,
  }
  const { page, close } = await openTab(browser.reused, `${origin}/docs`, {}, [cookie])
  await page.getByRole('heading', { name: 'Reeve', level: 1 }).waitFor()
  const outcomes = await page.evaluate<string[]>(`(async () => {
    const attempt = async (act) => {
      try {
        return 'succeeded: ' + (await act())
      } catch (error) {
        return error.name
      }
    }
    return [
      await attempt(async () => (await fetch('/portal/api/me', { credentials: 'include' })).status),
      await attempt(() => document.cookie),
      await attempt(() => { localStorage.setItem('a', 'b'); return localStorage.getItem('a') }),
      await attempt(() => indexedDB.open('x').name),
      await attempt(() => { open('/account').document; }),
      // Sent without permission to read the response.
      await fetch('/portal/api/sign-out', { method: 'POST', mode: 'no-cors', credentials: 'include' }).then(() => 'sent', () => 'refused'),
      self.origin,
    ]
  })()`)
  expect(outcomes).toEqual([
    'TypeError',
    'SecurityError',
    // Not that of the browser: gone with the page.
    'succeeded: b',
    'SecurityError',
    'TypeError',
    expect.stringMatching(/sent|refused/),
    'null',
  ])
  expect((await instance.request('GET', '/portal/api/me', { session })).status).toBe(200)
  await page.goto(`${origin}/healthz`)
  expect(await page.evaluate(`localStorage.length`)).toBe(0)
  await close()
}, 60_000)

test('it is shown as before to somebody who is signed in, and offers nothing that its sandbox prevents', async () => {
  const { page, pageErrors, close } = await openDocs()
  await page.getByRole('heading', { name: 'Reeve', level: 1 }).waitFor()
  await page.getByRole('link', { name: 'Departments' }).first().click()
  await page.getByText('Create, update, delete or restore a department').first().waitFor()
  expect(await page.getByRole('button', { name: /test request/i }).count()).toBe(0)
  expect(await page.getByText(/download openapi/i).count()).toBe(0)
  expect(pageErrors).toEqual([])
  await close()
}, 60_000)
