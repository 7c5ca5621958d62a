import { readFileSync } from 'node:fs'
import type axe from 'axe-core'
import type { Page } from 'playwright-core'

const SOURCE = readFileSync(Bun.resolveSync('axe-core/axe.min.js', import.meta.dir), 'utf8')

/** What is not accessible on a page as it is now, as text. */
export async function findAxeViolations(page: Page): Promise<string[]> {
  if (!(await page.evaluate<boolean>('"axe" in globalThis'))) await page.evaluate(SOURCE)
  // Popups are at the end of the page, outside its landmarks, and are opened from a control.
  const hasPopup = await page.locator('[role=menu], [role=listbox], [role=dialog], [role=tooltip]').count()
  const options = JSON.stringify({
    rules: { region: { enabled: hasPopup === 0 } },
    // The rules that pass would be described with all of their elements, which takes most of the time.
    resultTypes: ['violations'],
    // Only the rules about orientation, which are experimental, and about audio, which the portal has none of, load more files.
    preload: false,
  })
  const violations = await page.evaluate<axe.Result[]>(
    `axe.run(${options}).then(({ violations }) => violations)`,
  )
  return violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join('; ')}`,
  )
}
