import { join } from 'node:path'
import { openBrowser, openPage } from './support/browser.ts'
import { dress, everyLook, HEIGHT, openScenes, reach, schemes, widths } from './support/scene.ts'

/** Pictures of every screen, for people to look at: `bun run screenshots [part of a name…]`, on what `bun run build` made. */
const folder = join(import.meta.dir, 'screenshots')
const wanted = process.argv.slice(2)

const looks = (await everyLook()).filter(
  ({ name }) => wanted.length === 0 || wanted.some((part) => name.includes(part)),
)
const [scenes, browser] = await Promise.all([openScenes(), openBrowser()])
try {
  for (const look of looks) {
    const { address, cookies } = await scenes.of(look)
    for (const width of widths) {
      const { page, close } = await openPage(
        browser,
        address,
        { viewport: { width, height: HEIGHT } },
        cookies,
      )
      await reach(page, look, scenes.scene)
      for (const colorScheme of schemes) {
        await dress(page, colorScheme)
        await page.screenshot({ path: join(folder, `${look.name}-${width}-${colorScheme}.png`) })
      }
      await close()
    }
  }
} finally {
  await Promise.all([browser.close(), scenes.close()])
}
console.log(`The pictures are in ${folder}.`)
