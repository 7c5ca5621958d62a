import { join } from 'node:path'
import { tellStory } from './pictures/night-owls.ts'
import { type Shot, shots } from './pictures/shots.ts'
import { openBrowser, openSite } from './support/browser.ts'
import { HEIGHT, settled } from './support/scene.ts'

/** The pictures of the guide and the README: `bun run pictures [part of a name…]`, on what `bun run build` made. */
const folder = join(import.meta.dir, '../docs/pictures')
const wanted = process.argv.slice(2)

/** As much as a picture may be, so that a clone stays small. */
const MAX_BYTES = 120_000

/** A picture as it was taken where that is small enough to be kept beside the text, else in fewer colours. */
async function small(png: Uint8Array, name: string): Promise<Uint8Array> {
  if (png.length <= MAX_BYTES) return png
  const made = await new Bun.Image(png).png({ palette: true, colors: 256, compressionLevel: 9 }).bytes()
  if (made.length <= MAX_BYTES) return made
  throw new Error(`${name} is too large, also in few colours: show less of it`)
}

const [site, browser] = await Promise.all([openSite(), openBrowser()])

async function take(shot: Shot, story: Awaited<ReturnType<typeof tellStory>>): Promise<void> {
  const { name, by, at, width, height = HEIGHT, isDark = false, shows, reach } = shot
  const context = await browser.newContext({
    viewport: { width, height },
    locale: 'en-GB',
    timezoneId: 'Europe/Lisbon',
    colorScheme: isDark ? 'dark' : 'light',
  })
  await context.addCookies([{ name: 'reeve_session', value: await story.sessionOf(by), url: site.origin }])
  const page = await context.newPage()
  await page.clock.setFixedTime(site.instance.clock.now())
  await page.goto(`${site.origin}/w/${story.workspaceId}${typeof at === 'string' ? at : at(story)}`)
  await page.locator('main, [role=dialog]').getByText(shows).first().waitFor()
  await reach?.(page, story)
  await settled(page)
  const file = join(folder, `${name}.png`)
  await Bun.write(file, await small(await page.screenshot(), name))
  console.log(`${file} ${Math.ceil(Bun.file(file).size / 1000)} kB`)
  await context.close()
}

try {
  const story = await tellStory(site.instance)
  for (const shot of shots) {
    if (wanted.length === 0 || wanted.some((part) => shot.name.includes(part))) await take(shot, story)
  }
} finally {
  await browser.close()
  await site.close()
}
