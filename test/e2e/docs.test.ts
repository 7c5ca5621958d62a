import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type InstanceServer, openBrowser, openInstanceServer, openTab } from '../support/browser.ts'

let server: InstanceServer
let browser: Awaited<ReturnType<typeof openBrowser>>

beforeAll(async () => {
  server = await openInstanceServer()
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  await server?.close()
})

const openDocs = (path = '/docs') => openTab(browser, new URL(path, server.origin).href)

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
