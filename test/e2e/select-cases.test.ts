import { expect, test } from 'bun:test'
import { useSession } from '../support/e2e-session.ts'
import { openModerationSession } from '../support/moderation.ts'
import { PHONE, pressButton } from '../support/page-actions.ts'

const e2e = useSession(openModerationSession)

test('selected cases that another filter hides, or that have left the list, are counted as not shown', async () => {
  const { session, toPath, moderate } = await e2e.createModerationWorkspace()
  for (const [userId, reason] of [
    ['1', 'Raid'],
    ['2', 'Spam'],
    ['3', 'Spam'],
  ] as const)
    await moderate({ action: 'ban', userId, reason })
  const { page } = await e2e.openScreen(toPath('/bans'), { session, browser: PHONE })
  await pressButton(page, 'Select cases')
  await pressButton(page, 'Select all that are loaded')
  await page.getByRole('button', { name: 'Act on 3 cases…' }).waitFor()
  await moderate({ action: 'unban', userId: '3', reason: 'Appeal' })
  await page.getByRole('button', { name: 'Act on 3 cases (1 not shown)…' }).waitFor()
  await page.getByLabel('Text', { exact: true }).fill('Raid')
  await page.getByRole('button', { name: 'Act on 3 cases (2 not shown)…' }).waitFor()
  await pressButton(page, 'Select all that are loaded')
  await page.getByRole('button', { name: 'Act on 1 case…' }).waitFor()
  expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(1)
})
