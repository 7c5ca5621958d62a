import { readFileSync } from 'node:fs'
import type axe from 'axe-core'
import type { Page } from 'playwright-core'

const SOURCE = readFileSync(Bun.resolveSync('axe-core/axe.min.js', import.meta.dir), 'utf8')

/** What may be outside the landmarks: popups, which are at the end of the page and are opened from a control. */
const POPUPS =
  '[role=menu], [role=listbox], [role=dialog], [role=alertdialog], [role=tooltip], .mantine-Combobox-dropdown'

const CONFIGURATION: axe.Spec = {
  checks: [{ id: 'region', options: { regionMatcher: `dialog, ${POPUPS}, svg` } }],
}

const OPTIONS: axe.RunOptions = {
  // The rules that pass would be described with all of their elements, which takes most of the time.
  resultTypes: ['violations'],
  // Only the rules about orientation, which are experimental, and about audio, which the portal has none of, load more files.
  preload: false,
}

/** What is not accessible on a page as it is now, as text. */
export async function findAxeViolations(page: Page): Promise<string[]> {
  if (!(await page.evaluate<boolean>('"axe" in globalThis')))
    await page.evaluate(`${SOURCE}; axe.configure(${JSON.stringify(CONFIGURATION)})`)
  const violations = await page.evaluate<axe.Result[]>(
    `axe.run(${JSON.stringify(OPTIONS)}).then(({ violations }) => violations)`,
  )
  return violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join('; ')}`,
  )
}
