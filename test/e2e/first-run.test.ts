import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { openE2eSessionPerTest, useSession } from '../support/e2e-session.ts'
import { PASSWORD } from '../support/instance.ts'
import {
  expectFocus,
  expectSettled,
  fillIn,
  pressButton,
  readField,
  readFieldNote,
  waitForHeading,
} from '../support/page-actions.ts'
import { expectNoPageErrors } from '../support/page-errors.ts'
import { GROUP, OWNER } from '../support/server.ts'

const e2e = useSession(openE2eSessionPerTest)

const switcher = (page: Page) => page.getByRole('button', { name: RegExp(`^${GROUP}.*switch workspace`) })

describe('first-run setup', () => {
  const firstRunFields = async (changed: Record<string, string> = {}) => ({
    Code: (await e2e.startServer()).code,
    Username: OWNER,
    Password: PASSWORD,
    'Group name': GROUP,
    ...changed,
  })

  test('with the code from the log signs the owner in and opens their workspace', async () => {
    const tab = await e2e.openScreen()
    const { page } = tab
    await waitForHeading(page, 'Set up Reeve')
    await expectSettled(() => page.title(), 'Set up Reeve')
    await fillIn(page, await firstRunFields())
    await pressButton(page, 'Set up')
    await switcher(page).waitFor()
    expect(new URL(page.url()).pathname).toStartWith('/w/')
    await page.reload()
    await switcher(page).waitFor()
    await page.getByRole('button', { name: /^Signed in as robin/ }).waitFor()
    await expectNoPageErrors(tab)
    expect(tab.pageErrors).toEqual([])
  })

  test('a wrong code shows an error, and the input stays', async () => {
    const tab = await e2e.openScreen()
    const { page } = tab
    const fields = await firstRunFields({ Code: '0000-0000-0000' })
    await fillIn(page, fields)
    await pressButton(page, 'Set up')
    await page.getByText('The setup code is incorrect').waitFor()
    for (const [label, value] of Object.entries(fields))
      await expectSettled(() => readField(page, label), value)
    await expectFocus(page, 'code')
    await expectNoPageErrors(tab)
  })

  test('every invalid field shows its error until it is changed', async () => {
    const tab = await e2e.openScreen()
    const { page } = tab
    await fillIn(page, { Password: 'short', Username: 'two  spaces' })
    await pressButton(page, 'Set up')
    await page.getByText('Code is required.').waitFor()
    await expectSettled(() => readFieldNote(page, 'Group name'), ['true', 'Group name is required.'])
    await expectSettled(
      () => readFieldNote(page, 'Password'),
      ['true', 'Password must be 10 to 200 characters.'],
    )
    expect((await readFieldNote(page, 'Username'))[1]).toStartWith(
      'Username must not contain invisible characters',
    )
    await expectFocus(page, 'code')
    await fillIn(page, { Password: PASSWORD })
    await expectSettled(
      () => readFieldNote(page, 'Password'),
      [null, '10 to 200 characters, and not a common one'],
    )
    await expectNoPageErrors(tab)
  })

  test('an instance that was set up in the meantime leads to the sign-in form', async () => {
    const tab = await e2e.openScreen()
    const { page } = tab
    await waitForHeading(page, 'Set up Reeve')
    await fillIn(page, await firstRunFields({ Username: 'late' }))
    await (await e2e.startServer()).setUp()
    await pressButton(page, 'Set up')
    await waitForHeading(page, 'Sign in')
    await page.getByText('This instance is already set up. Sign in instead.').waitFor()
    await expectNoPageErrors(tab)
  })

  test('names that contain script are shown as text and never run', async () => {
    const tab = await e2e.openScreen()
    const { page } = tab
    const username = '<img src=x onerror=planted=1>'
    const group = '"><script>planted=1</script><svg onload=planted=1>'
    await fillIn(page, await firstRunFields({ Username: username, 'Group name': group }))
    await pressButton(page, 'Set up')
    await page.getByText(group, { exact: true }).first().waitFor()
    await page.reload()
    await page.getByText(group, { exact: true }).first().waitFor()
    await page.getByRole('button', { name: /Your menu/ }).click()
    await page.getByText(username, { exact: true }).waitFor()
    expect(await page.title()).toContain(group)
    expect(await page.evaluate('"planted" in globalThis')).toBe(false)
    await expectNoPageErrors(tab)
  })
})
