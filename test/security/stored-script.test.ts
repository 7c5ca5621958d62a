import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import {
  type Browser,
  type InstanceServer,
  openBrowser,
  openInstanceServer,
  openTab,
  settlePages,
} from '../support/browser.ts'
import { dataUrl } from '../support/images.ts'
import { plantMarkup } from './planted-markup.ts'
import { polyglots, SCRIPT } from './polyglots.ts'
import { findPathsOf, listScreenPaths } from './portal-screens.ts'
import { FIND_MARKUP, type Found, openEverything } from './shown-markup.ts'
import { createTenant, type Tenant } from './tenant.ts'

setDefaultTimeout(120_000)

let server: InstanceServer
let browser: Browser
let tenant: Tenant
let operatorSession: string
let unset: string[]
let planted: Map<string, string>

beforeAll(async () => {
  server = await openInstanceServer()
  const { instance } = server
  operatorSession = await instance.session(await instance.account(undefined, true))
  tenant = await createTenant(instance)
  ;({ unset, planted } = await plantMarkup(instance, tenant, operatorSession))
  browser = await openBrowser()
})
afterAll(async () => {
  await browser.close()
  await server.close()
})

/** Texts that no screen shows to the owner, and why. */
const NOT_SHOWN: Readonly<Record<string, string>> = {
  'POST /api/moderation/approvals reason':
    'the audit log keeps the reason of an approval, which its CSV file contains',
  'POST /portal/api/endpoint-controls message':
    'shown while the endpoint is not on: `e2e/endpoint-controls.test.ts`',
  'PATCH /portal/api/saved-views name': 'the menu of lists that shows the name of a new view shows it too',
  'PATCH /portal/api/saved-views filters': 'it is the query string of a list',
}

/** Called by planted markup. */
const RECORD_HITS = "globalThis.hits = []; globalThis.hit = () => { hits.push('script ran') }"

const openPath = (path: string, session: string | null) =>
  openTab(
    browser.reused,
    `${server.origin}${path}`,
    {},
    session === null ? [] : [{ name: 'reeve_session', value: session, url: server.origin }],
    (page) => page.addInitScript({ content: RECORD_HITS }),
  )

test('markup is stored in every text field that a request can set', () => {
  expect(unset, 'no generated request sets these: list them in OTHER_TEXTS with the reason').toEqual([])
})

test('markup in every text field is shown as text on every screen, in every menu and in every dialog', async () => {
  const paths = await listScreenPaths(tenant)
  const isOperators = (path: string) => path.startsWith('/operator')
  expect(paths.length).toBeGreaterThan(45)
  const shown = new Set<string>()
  const problems: unknown[] = []
  let dialogs = 0
  for (const [session, own] of [
    [tenant.session, paths.filter((path) => !isOperators(path))],
    [operatorSession, paths.filter(isOperators)],
  ] as const) {
    const { page, close, listCspViolations } = await openPath('/account', session)
    const check = async (where: string) => {
      await settlePages(20_000)
      const { injected, hits, numbers } = await page.evaluate<Found>(FIND_MARKUP)
      for (const number of numbers) shown.add(number)
      const violations = await listCspViolations()
      if (injected + hits + violations.length > 0) problems.push([where, injected, hits, violations])
    }
    for (const path of own) {
      await page.goto(`${server.origin}${path}`)
      await check(path)
      if (!path.includes('?')) dialogs += await openEverything(page, (what) => check(`${path}: ${what}`))
    }
    const missing = [...planted.keys()].filter((number) => !shown.has(number))
    for (const path of isOperators(own[0] ?? '') ? [] : await findPathsOf(server.instance, tenant, missing)) {
      await page.goto(`${server.origin}${path}`)
      await check(path)
    }
    await close()
  }
  expect(problems).toEqual([])
  const missing = [...planted].filter(([number]) => !shown.has(number)).map(([, name]) => name)
  expect(missing.filter((name) => !(name in NOT_SHOWN))).toEqual([])
  expect(dialogs).toBeGreaterThan(30)
}, 600_000)

test('no cell of a CSV file begins like a formula', async () => {
  const workspace = `workspaceId=${tenant.workspaceId}`
  for (const [path, session, hasMarkup] of [
    [`/portal/api/audit.csv?${workspace}`, tenant.session, true],
    [`/portal/api/moderation.csv?${workspace}`, tenant.session, true],
    [`/portal/api/usage.csv?${workspace}`, tenant.session, false],
    [`/portal/api/insights.csv?${workspace}&view=reasons`, tenant.session, false],
    ['/admin/api/audit.csv', operatorSession, true],
  ] as const) {
    const { status, text } = await server.instance.request('GET', path, { session })
    expect([path, status, text.split('\n').length > 1]).toEqual([path, 200, true])
    expect(text.match(/(?:^|,|\n)"?[=+@\t]/g), path).toBeNull()
    if (hasMarkup) expect(text, path).toContain('onerror=hit()')
  }
})

test('every CSV file of the portal is checked for formulas', () => {
  const files = server.instance.app.routes.filter(({ path }) => path.endsWith('.csv')).map(({ path }) => path)
  expect(files.sort()).toEqual([
    '/admin/api/audit.csv',
    '/portal/api/audit.csv',
    '/portal/api/insights.csv',
    '/portal/api/moderation.csv',
    '/portal/api/usage.csv',
  ])
})

test('an image that is also a script or a page runs nothing', async () => {
  for (const [name, { mediaType, bytes }] of Object.entries(polyglots)) {
    const imageDataUrl = dataUrl(bytes, mediaType)
    const { status, body } = await server.instance.request('POST', '/api/events', {
      session: tenant.session,
      body: { workspaceId: tenant.workspaceId, title: name, scheduledFor: '1900000000000', imageDataUrl },
    })
    expect([name, status]).toEqual([name, 200])
    const url = new URL(body.event.imageUrl, server.origin).pathname
    const served = await fetch(`${server.origin}${url}`, {
      headers: { cookie: `reeve_session=${tenant.session}` },
    })
    // Removing metadata has kept the script, so it reaches the browser.
    expect([name, (await served.text()).includes(SCRIPT)]).toEqual([name, true])
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
