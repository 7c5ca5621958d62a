import { afterAll, beforeAll, expect, test } from 'bun:test'
import {
  type Browser,
  type InstanceServer,
  openBrowser,
  openInstanceServer,
  openTab,
} from '../support/browser.ts'
import { dataUrl, imageBytes } from '../support/images.ts'

let server: InstanceServer
let browser: Browser
let key: string
let workspaceId: string
/** The path of an image of an event. */
let image: string
/** A website on another origin, whose page has this content. */
let website: ReturnType<typeof Bun.serve>
let content = ''

beforeAll(async () => {
  website = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: () => new Response(`<!doctype html>${content}`, { headers: { 'content-type': 'text/html' } }),
  })
  server = await openInstanceServer({ corsOrigins: [`http://localhost:${website.port}`] })
  browser = await openBrowser()
  ;({ key, id: workspaceId } = await server.instance.workspace())
  const created = await server.instance.request('POST', '/api/events', {
    key,
    body: {
      workspaceId,
      title: 'Training',
      scheduledFor: '2030-01-01T10:00:00Z',
      published: 'true',
      imageDataUrl: dataUrl(imageBytes('png')),
    },
  })
  image = new URL(created.body.event.imageUrl).pathname
})
afterAll(async () => {
  await browser?.close()
  await website?.stop(true)
  await server?.close()
})

/** Opens the website with this content under another host name, which makes it another site. */
async function openWebsite(html: string) {
  content = html
  return openTab(browser, `http://localhost:${website.port}/`)
}

const IMAGE_WIDTH = 'document.images[0]?.decode().then(() => document.images[0].naturalWidth, () => 0)'

test('an image of an event is shown by another website, and alone', async () => {
  const elsewhere = await openWebsite(`<img src="${server.origin}${image}">`)
  expect(await elsewhere.page.evaluate(IMAGE_WIDTH)).toBeGreaterThan(0)
  await elsewhere.close()
  const alone = await openTab(browser, `${server.origin}${image}`)
  expect(await alone.page.evaluate(IMAGE_WIDTH)).toBeGreaterThan(0)
  await alone.close()
})

test('no other website can frame the portal, the API reference or a response of the API', async () => {
  for (const path of ['/', '/docs', '/healthz', '/api/events', image]) {
    const { page, close } = await openWebsite(`<iframe src="${server.origin}${path}"></iframe>`)
    const frame = page.frames()[1]
    expect([path, frame?.url()]).toEqual([path, 'chrome-error://chromewebdata/'])
    await close()
  }
})

test('no other website can load data as a script or as an image', async () => {
  for (const path of ['/openapi.json', '/healthz', '/portal/api/me']) {
    const { page, close } = await openWebsite('')
    const failed = page.waitForEvent('requestfailed')
    await page.evaluate(`document.body.append(Object.assign(document.createElement('script'), {
      src: '${server.origin}${path}',
    }))`)
    expect([path, (await failed).failure()?.errorText]).toEqual([
      path,
      'net::ERR_BLOCKED_BY_RESPONSE.NotSameOrigin',
    ])
    await close()
  }
})

test('a website that the settings list can use the public API with a key', async () => {
  const { page, close } = await openWebsite('')
  const url = `${server.origin}/api/moderation?workspaceId=${workspaceId}&banList=true`
  const headers = JSON.stringify({ authorization: `Bearer ${key}` })
  expect(
    await page.evaluate(`fetch('${url}', { headers: ${headers} }).then((response) => response.json())`),
  ).toEqual({ bans: [], nextCursor: null })
  await close()
})
