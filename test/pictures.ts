import { join } from 'node:path'
import { createDemoCommunity } from './pictures/demo-community.ts'
import type { Picture } from './pictures/picture.ts'
import { pictures } from './pictures/shots.ts'
import { launchBrowser, openInstanceServer } from './support/browser.ts'
import { HEIGHT, waitForIdle } from './support/screen-states.ts'

/** Takes the pictures of the guide and the README: `bun run pictures [part of a name…]`, after `bun run build`. */
const folder = join(import.meta.dir, '../docs/pictures')
const nameFilters = process.argv.slice(2)

/** Maximum size of a picture in bytes, so that a clone stays small. */
const MAX_BYTES = 120_000

/** The picture unchanged if it is small enough, otherwise with fewer colors. */
async function shrinkPng(png: Uint8Array, name: string): Promise<Uint8Array> {
  if (png.length <= MAX_BYTES) return png
  const reduced = await new Bun.Image(png).png({ palette: true, colors: 256, compressionLevel: 9 }).bytes()
  if (reduced.length <= MAX_BYTES) return reduced
  throw new Error(`${name} is too large even with fewer colors: show less of it`)
}

const [server, browser] = await Promise.all([openInstanceServer(), launchBrowser()])

async function takeScreenshot(
  picture: Picture,
  community: Awaited<ReturnType<typeof createDemoCommunity>>,
): Promise<void> {
  const { name, username, path, width, height = HEIGHT, isDark = false, visibleText, arrange, part } = picture
  const context = await browser.newContext({
    viewport: { width, height },
    locale: 'en-GB',
    timezoneId: 'Europe/Lisbon',
    colorScheme: isDark ? 'dark' : 'light',
  })
  if (username !== null) await context.addCookies([server.cookie(await community.createSession(username))])
  const page = await context.newPage()
  await page.clock.setFixedTime(server.instance.clock.now())
  const base = username === null ? server.origin : `${server.origin}/w/${community.workspaceId}`
  await page.goto(`${base}${typeof path === 'string' ? path : path(community)}`)
  await page.locator('main, [role=dialog]').getByText(visibleText).first().waitFor()
  await arrange?.(page, community)
  await waitForIdle(page)
  const file = join(folder, `${name}.png`)
  await Bun.write(file, await shrinkPng(await (part?.(page) ?? page).screenshot(), name))
  console.log(`${file} ${Math.ceil(Bun.file(file).size / 1000)} kB`)
  await context.close()
}

try {
  const community = await createDemoCommunity(server.instance)
  for (const picture of pictures) {
    if (nameFilters.length === 0 || nameFilters.some((part) => picture.name.includes(part)))
      await takeScreenshot(picture, community)
  }
} finally {
  await browser.close()
  await server.close()
}
