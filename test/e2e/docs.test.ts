import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openBrowser, openPage, openSite, type Site } from '../support/browser.ts'

let site: Site
let browser: Awaited<ReturnType<typeof openBrowser>>

beforeAll(async () => {
  site = await openSite()
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  await site?.close()
})

const openDocs = (path = '/docs') => openPage(browser, new URL(path, site.origin).href)

test('the reference shows every operation, and asks no other host for anything', async () => {
  const { page, requested, foreign, complaints, violations, close } = await openDocs()
  const summaries = new Set<string>()
  const { body: document } = await site.instance.call('GET', '/openapi.json')
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
  expect(requested.length).toBeGreaterThan(2)
  expect(foreign()).toEqual([])
  expect(await violations()).toEqual([])
  expect(complaints).toEqual([])
  await close()
}, 60_000)

test('an operation opened by its address is shown, with its permission', async () => {
  const { page, foreign, violations, close } = await openDocs('/docs#tag/departments/POST/api/departments')
  await page.getByText('Create, update, delete or restore a department').first().waitFor()
  await page.getByText('departments.manage').first().waitFor()
  expect(foreign()).toEqual([])
  expect(await violations()).toEqual([])
  await close()
}, 60_000)

test('no script of another origin would run', async () => {
  const { page, violations, close } = await openDocs()
  const ran = await page.evaluate(`
    const script = document.createElement('script')
    script.textContent = 'globalThis.planted = true'
    document.body.append(script)
    fetch('https://elsewhere.example/').then(() => true, () => 'planted' in globalThis)
  `)
  expect(ran).toBe(false)
  expect((await violations()).map((one) => one.split(' ')[0]).sort()).toEqual([
    'connect-src',
    'script-src-elem',
  ])
  await close()
}, 60_000)
