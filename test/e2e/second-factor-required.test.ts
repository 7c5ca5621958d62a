import { expect, test } from 'bun:test'
import { useInstancePerTest } from '../support/e2e-session.ts'
import { PHONE, pressButton, readField, waitForHeading } from '../support/page-actions.ts'
import { expectNoPageErrors } from '../support/page-errors.ts'
import { readAuthenticator } from '../support/totp.ts'

const server = useInstancePerTest({ mfa: 'required' })

test('an instance that requires a second factor leads through adding one, and back to the page that was asked for', async () => {
  const workspace = await server.instance.workspace()
  const tab = await server.openScreen(`/w/${workspace.id}/departments`, {
    session: workspace.ownerSession,
    browser: PHONE,
  })
  const { page } = tab
  await page.getByText('This instance requires a second factor').waitFor()
  await pressButton(page, 'Add an app')
  const secret = (await readField(page, 'Key to enter in the app')).replaceAll(' ', '')
  await page
    .getByRole('textbox', { name: 'Code', exact: true })
    .fill(readAuthenticator(secret, server.instance.clock.now()))
  await pressButton(page, 'I have stored them')
  await waitForHeading(page, 'Departments')
  expect(new URL(page.url()).pathname).toBe(`/w/${workspace.id}/departments`)
  await expectNoPageErrors(tab)
})
