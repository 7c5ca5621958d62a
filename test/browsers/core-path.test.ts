import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { PASSWORD } from '../support/instance.ts'
import { drawEvening } from '../support/png.ts'
import { GROUP, OWNER, startTestServer, type TestServer } from '../support/server.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { openFirefox } from './firefox.ts'
import { type BrowserPage, openBrowserPage } from './page.ts'
import { openWebKit } from './webkit.ts'

/** Limit for one test, and for starting a browser on a busy machine. */
const TIMEOUT_MS = 90_000
setDefaultTimeout(TIMEOUT_MS)

/** The tests in test/e2e use Chromium. Staff also use iPhones (WebKit) and Firefox. */
const browsers = [
  { name: 'Firefox on a desktop', open: openFirefox, width: 1440, height: 900 },
  { name: 'Firefox on a phone', open: openFirefox, width: 390, height: 844 },
  { name: 'WebKit on a desktop', open: openWebKit, width: 1440, height: 900 },
  { name: 'WebKit on a phone', open: openWebKit, width: 390, height: 844 },
] as const

describe.each(browsers)('in $name', ({ open, width, height }) => {
  const folder = temporaryFolder()
  let server: TestServer
  let page: BrowserPage
  let owner: Awaited<ReturnType<TestServer['setUp']>>

  beforeAll(async () => {
    server = await startTestServer()
    owner = await server.setUp()
    page = await openBrowserPage(await open(width, height))
    // Each test begins signed in, so that it can run alone.
    await page.open(server.origin)
    await page.type('Username', OWNER)
    await page.type('Password', PASSWORD)
    await page.click('button', 'Sign in')
    await page.waitForRole('heading', GROUP)
  }, TIMEOUT_MS)
  afterAll(async () => {
    await page?.close()
    await server?.close()
    folder.remove()
  })

  const openScreen = (path: string) => page.open(`${server.origin}/w/${owner.workspaceId}${path}`)
  const request = async (method: string, path: string, body?: object) =>
    (
      await server.requestOk(method, path, {
        session: owner.session,
        ...(body && { body: { workspaceId: owner.workspaceId, ...body } }),
      })
    ).body

  test('after signing in, a person finds a player, bans the player and undoes it', async () => {
    for (const player of [
      { userId: '261', userUsername: 'StormRider' },
      { userId: '2610', userUsername: 'Stormy' },
    ]) {
      await request('POST', '/api/moderation', { action: 'warn', reason: 'Spam', ...player })
    }
    await openScreen('/moderation')
    await page.type('Player ID or name', 'rider', 'searchbox')
    await page.waitForText('Not banned, not muted')
    await page.pressKey('ArrowDown')
    await page.pressKey('Enter')
    await page.waitForRole('button', 'Ban')

    await page.click('button', 'Ban')
    await page.click('radio', '7 days')
    await page.type('Reason', 'Exploiting')
    await page.click('button', 'Ban 261')
    await page.waitForText(/Banned until .*, 7 days left/)
    await page.click('button', 'Undo')
    await page.waitForText('Not banned, not muted')
    const { records } = await request('GET', `/api/moderation?workspaceId=${owner.workspaceId}&userId=261`)
    expect(records[0]).toMatchObject({ action: 'ban', status: 'revoked', reason: 'Exploiting' })
  })

  test('the columns of Home begin at the same height', async () => {
    await openScreen('')
    await page.waitForText('Usage this month')
    const tops = JSON.parse(
      String(
        await page.evaluate(`(() => {
          const columns = [...document.querySelectorAll('main *')]
            .find((element) => getComputedStyle(element).columnWidth !== 'auto')
          const topByLeft = new Map()
          for (const card of columns.children) {
            const { left, top } = card.getBoundingClientRect()
            topByLeft.set(left, Math.min(top, topByLeft.get(left) ?? Infinity))
          }
          return JSON.stringify([...topByLeft.values()].map(Math.round))
        })()`),
      ),
    )
    expect(tops.length).toBe(width < 600 ? 1 : 2)
    expect(new Set(tops).size).toBe(1)
  })

  test('a person creates an event with an image, which is shown', async () => {
    const image = join(folder.path, 'evening.png')
    await Bun.write(image, drawEvening(640, 360))
    await openScreen('/events')
    await page.click('button', 'New event')
    await page.type('Title', 'Night patrol')
    await page.setDateTime('Starts', '2031-04-01T18:00')
    await page.chooseFile(image)
    await page.waitForRole('img', 'Preview of the cropped image')
    await page.click('button', 'Save as draft')
    await page.waitForText('Night patrol')
    const { events } = await request('GET', `/api/events?workspaceId=${owner.workspaceId}`)
    expect(events).toMatchObject([{ title: 'Night patrol' }])
    // The image of a draft is for the staff only.
    const { status, headers } = await fetch(events[0].imageUrl, {
      headers: { cookie: `reeve_session=${owner.session}` },
    })
    expect([status, headers.get('content-type')?.startsWith('image/')]).toEqual([200, true])
  })

  test('a person creates an API key, which works', async () => {
    await openScreen('/configuration/api/keys')
    await page.click('button', 'Create your first key')
    await page.type('Name', 'Main server')
    await page.click('button', 'Create key')
    await page.waitForText('The key “Main server” is ready')
    const secret = String(
      await page.evaluate(`document.querySelector('[role=group][aria-label="API key"]').textContent`),
    )
    const path = `/api/moderation?workspaceId=${owner.workspaceId}&banList=true`
    expect((await server.requestWithKey(secret, path)).status).toBe(200)
  })
})
