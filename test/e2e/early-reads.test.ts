import { expect, test } from 'bun:test'
import { settlePages } from '../support/browser.ts'
import { openE2eSession, useSession } from '../support/e2e-session.ts'
import { WAIT_MS } from '../support/page-actions.ts'

const e2e = useSession(openE2eSession)

for (const [name, path, reads] of [
  ['home', '', ['/portal/api/me', '/portal/api/overview']],
  ['a player', '/moderation/players/261', ['/api/moderation', '/portal/api/me', '/portal/api/players']],
] as const) {
  test(`as the first screen, ${name} reads its data once, without waiting for the scripts`, async () => {
    const { workspaceId, openScreen } = await e2e.createWorkspaceFixture()
    const { page } = await openScreen('/events', { heading: 'Events' })
    await settlePages(WAIT_MS)
    const paths: string[] = []
    page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (pathname.includes('/api/') && pathname !== '/portal/api/live') paths.push(pathname)
    })
    const allSent = Promise.all(
      reads.map((read) => page.waitForRequest((request) => new URL(request.url()).pathname === read)),
    )
    await page.route(/\/main-\w+\.js$/, async (route) => {
      await allSent
      await route.continue()
    })
    await page.goto(new URL(`/w/${workspaceId}${path}`, page.url()).href)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await settlePages(WAIT_MS)
    expect(paths.sort()).toEqual([...reads])
  })
}
