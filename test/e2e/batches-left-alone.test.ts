import { expect, test } from 'bun:test'
import { openE2eSession, useSession } from '../support/e2e-session.ts'
import { DESKTOP, expectFitsWindow, expectSettled, PHONE, pressButton } from '../support/page-actions.ts'
import { expectNoPageErrors } from '../support/page-errors.ts'

const e2e = useSession(openE2eSession)

const AGAIN = 'Act on those left alone…'
const NOTHING = 'Nothing is left to do: This player has no active ban.'

test.each([
  { name: 'desktop', browser: DESKTOP },
  { name: 'phone', browser: PHONE },
])(
  'on a $name, a batch offers to act again only on those for whom something is left to do',
  async ({ browser }) => {
    const workspace = await e2e.createWorkspaceFixture()
    const act = (action: string, userId: string) =>
      workspace.requestAsOwner('POST', '/api/moderation', {
        action,
        userId,
        ...(action === 'ban' && { reason: 'Exploiting' }),
      })
    for (const userId of ['9201', '9202', '9203']) await act('ban', userId)
    const tab = await workspace.openScreen('/batches?new=action', { heading: 'Batches', browser })
    const { page } = tab
    const actionField = page.getByRole('combobox', { name: 'Action' })
    await page.getByLabel('IDs of players').fill('9201\n9202\n9203')
    await actionField.click()
    await page.getByRole('option', { name: 'Unban', exact: true }).click()
    await pressButton(page, 'Preview')
    await page.getByText('3 targets: 3 will change').waitFor()
    await page.route('**/api/moderation/batches', async (route) => {
      if (route.request().method() === 'POST' && !route.request().postDataJSON().dryRun) {
        await act('unban', '9202')
        await act('ban', '9203')
      }
      await route.continue()
    })
    await pressButton(page, 'Start: 3 targets')
    await page.getByText('Finished: 1 changed, 2 refused or left alone').waitFor()
    const row = (userId: string) => page.getByRole('row', { name: userId })
    await row('9202').getByText(NOTHING).waitFor()
    await row('9203').getByText('In the meantime, this player got another ban').waitFor()
    expect(await page.getByText('Nothing is left to do').count()).toBe(1)
    await expectFitsWindow(page)

    await pressButton(page, AGAIN)
    await expectSettled(() => page.getByLabel('IDs of players').inputValue(), '9203')
    expect(await actionField.inputValue()).toBe('Unban')
    await page.getByRole('tab', { name: 'All batches' }).click()
    await pressButton(page, 'Unban · 3 targets')
    await page.getByRole('button', { name: AGAIN }).waitFor()
    await act('unban', '9203')
    await row('9203').getByText(NOTHING).waitFor()
    await page.getByRole('button', { name: AGAIN }).waitFor({ state: 'detached' })
    await expectNoPageErrors(tab)
  },
)
