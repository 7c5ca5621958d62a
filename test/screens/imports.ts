import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { deskPath, prepareDesk } from '../support/desk-workspace.ts'
import type { ScreenFile } from '../support/screen-states.ts'

const screen = { path: deskPath('/configuration/import'), heading: 'Import' } as const

/** Opens the screen again while the last import is in a state, which takes milliseconds. */
async function showImport(page: Page, changes: object, text: string): Promise<void> {
  await page.route('**/portal/api/imports?*', async (route) => {
    const response = await route.fetch()
    const { imports, nextCursor } = await response.json()
    const shown = { ...imports[0], dryRun: 'false', canBeApplied: 'false', ...changes }
    await route.fulfill({ json: { imports: [shown, ...imports], nextCursor } })
  })
  await page.reload()
  await page.getByText(text).first().waitFor()
}

/** Importing records from other tools. */
export const screens: ScreenFile = {
  prepare: prepareDesk,
  states: [
    {
      name: 'import',
      ...screen,
      arrange: (page) => page.getByText('Time is not a time: someday').waitFor(),
    },
    {
      name: 'import-columns',
      ...screen,
      async arrange(page) {
        await page.getByLabel('Format').selectOption('csv')
        const file = join(import.meta.dir, '../import/bans.csv')
        await page.locator('input[type="file"]').setInputFiles(file)
        await page.getByLabel('Player ID').selectOption('player')
        await page.getByLabel('Player ID').scrollIntoViewIfNeeded()
      },
    },
    {
      name: 'import-running',
      ...screen,
      arrange: (page) =>
        showImport(
          page,
          { state: 'running', finishedAt: null, progress: '0.618', processed: '61234' },
          '61,234 entries read · 61%',
        ),
    },
    {
      name: 'import-done',
      ...screen,
      arrange: (page) =>
        showImport(
          page,
          { created: '9812', merged: '12', superseded: '3', known: '120', skipped: '40' },
          '9,827 records created',
        ),
    },
    {
      name: 'import-failed',
      ...screen,
      arrange: (page) =>
        showImport(
          page,
          { state: 'failed', error: 'The file is not an SQL dump. Choose the format that it has.' },
          'The import failed',
        ),
    },
  ],
}
