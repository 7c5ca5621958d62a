import type { Page } from 'playwright-core'

/** What somebody else changed while a form was open. */
export const changes = (page: Page) => page.getByRole('region', { name: 'Changed by someone else' })
export const fieldChoice = (page: Page, label: string) => changes(page).getByRole('group', { name: label })
/** The labels of the fields to decide on. */
export const listFields = (page: Page) => changes(page).locator('legend').allTextContents()
/** The two options of a field, and which one is chosen. */
export const readOptions = async (page: Page, label: string) =>
  Promise.all(
    (await fieldChoice(page, label).getByRole('radio').all()).map(async (radio) => [
      (await radio.locator('xpath=..').textContent())?.trim(),
      await radio.isChecked(),
    ]),
  )
export const choose = (page: Page, label: string, option: RegExp) =>
  fieldChoice(page, label).getByRole('radio', { name: option }).check()
