import type { Page } from 'playwright-core'
import { waitForHeading } from './page-actions.ts'

/** Enters the code of a ban on the page for appeals, and waits for the ban. */
export async function openBan(page: Page, code: string): Promise<void> {
  await page.getByLabel('Appeal code').fill(code)
  await page.getByRole('button', { name: 'Continue' }).click()
  await waitForHeading(page, 'Your ban')
}

/** Sends the form of a ban. @param answers to the questions of the workspace, by their texts */
export async function submitAppeal(
  page: Page,
  message: string,
  answers: Readonly<Record<string, string>> = {},
): Promise<void> {
  for (const [question, answer] of Object.entries(answers)) await page.getByLabel(question).fill(answer)
  await page.getByLabel('Why should the ban be lifted').fill(message)
  await page.getByRole('button', { name: 'Submit the appeal' }).click()
  await page.getByText('Nobody has looked at it yet.').waitFor()
}
