import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { openE2eSession, useSession } from '../support/e2e-session.ts'
import { chooseOption } from '../support/moderation.ts'
import { fillIn, pressButton } from '../support/page-actions.ts'

const e2e = useSession(openE2eSession)

/** Sets the browser's clock wrong, from the next load on. */
const shiftClock = (page: Page, minutes: number) =>
  page.addInitScript({
    content: `{
      const Real = Date
      const shift = ${minutes} * 60_000
      globalThis.Date = class extends Real {
        constructor(...args) { if (args.length === 0) super(Real.now() + shift); else super(...args) }
        static now() { return Real.now() + shift }
      }
    }`,
  })

describe('a ban for an hour that was just recorded', () => {
  for (const [name, minutes] of [
    ['a right clock', 0],
    ['a clock that is 7 minutes slow', -7],
    ['a clock that is 7 minutes fast', 7],
  ] as const) {
    test(`started just now and has an hour left, in a browser with ${name}`, async () => {
      const { openScreen } = await e2e.createWorkspaceFixture()
      const { page } = await openScreen('/moderation/players/261')
      await shiftClock(page, minutes)
      await page.reload()
      await page.getByText('Not banned, not muted').waitFor()
      await pressButton(page, 'Ban')
      const dialog = page.getByRole('dialog')
      await chooseOption(page, '1 hour')
      await fillIn(page, { Reason: 'Exploiting' })
      await dialog.getByRole('button', { name: 'Ban 261' }).click()
      const sanctions = page.getByRole('region', { name: 'Active sanctions' })
      await sanctions.getByText(/^Banned until/).waitFor()
      expect(await sanctions.textContent()).toMatch(/^Banned until .+, 1 hour left(?! 1)/)
      expect(await sanctions.textContent()).toContain('since just now')
      await page
        .getByRole('list', { name: 'History' })
        .getByText(/, just now$/)
        .waitFor()
      expect(await page.locator('body').textContent()).not.toContain('in a moment')
    })
  }
})

test('the time zone of the browser has the same name wherever a time is entered', async () => {
  const { openScreen } = await e2e.createWorkspaceFixture()
  const browser = { timezoneId: 'America/New_York' }
  const { page: keys } = await openScreen('/configuration/api/keys', { browser })
  await pressButton(keys, 'Create your first key')
  await keys.getByLabel('Expiry').selectOption({ label: 'Custom…' })
  await keys.getByText('In your time zone, America/New York').waitFor()
  const { page: player } = await openScreen('/moderation/players/261', { browser })
  await pressButton(player, 'Mute')
  await chooseOption(player, 'Until…')
  await player.getByText('In your time zone, America/New York').waitFor()
})
