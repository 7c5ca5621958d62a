import { join } from 'node:path'
import { launchBrowser, openTab } from './support/browser.ts'
import {
  arrange,
  colorSchemes,
  HEIGHT,
  listScreenStates,
  openScreenServers,
  setColorScheme,
  widths,
} from './support/screen-states.ts'

/** Takes screenshots of every screen for visual review: `bun run screenshots [part of a name…]`, after `bun run build`. */
const folder = join(import.meta.dir, 'screenshots')
const nameFilters = process.argv.slice(2)

const states = (await listScreenStates()).filter(
  ({ name }) => nameFilters.length === 0 || nameFilters.some((part) => name.includes(part)),
)
const [servers, browser] = await Promise.all([openScreenServers(), launchBrowser()])
try {
  for (const state of states) {
    const { url, cookies } = await servers.resolve(state)
    for (const width of widths) {
      const { page, close } = await openTab(browser, url, { viewport: { width, height: HEIGHT } }, cookies)
      await arrange(page, state, servers.context)
      for (const colorScheme of colorSchemes) {
        await setColorScheme(page, colorScheme)
        await page.screenshot({ path: join(folder, `${state.name}-${width}-${colorScheme}.png`) })
      }
      await close()
    }
  }
} finally {
  await Promise.all([browser.close(), servers.close()])
}
console.log(`The screenshots are in ${folder}.`)
