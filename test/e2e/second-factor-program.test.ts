import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { openE2eSession, useSession } from '../support/e2e-session.ts'
import { fillIn, pressButton, readField, signIn, waitForHeading } from '../support/page-actions.ts'
import { expectNoPageErrors } from '../support/page-errors.ts'
import { OWNER } from '../support/server.ts'
import { forgetVerifications } from '../support/session-verifications.ts'
import { readAuthenticator, TOTP_STEP_MS } from '../support/totp.ts'

const e2e = useSession(() => openE2eSession({ REEVE_MFA: 'required' }))

const codeField = (page: Page) => page.getByRole('textbox', { name: 'Code', exact: true })
const waitForWorkspace = (page: Page) => page.getByRole('button', { name: /^Signed in as/ }).waitFor()

/** Enters the password in a browser that has no session. */
async function startSignIn(): Promise<Page> {
  const { page } = await e2e.openScreen('/sign-in', { session: null })
  await signIn(page, OWNER)
  await codeField(page).waitFor()
  return page
}

test('the program with REEVE_MFA=required leads through adding a factor, asks for it at each sign-in and before a key, and accepts a recovery code once', async () => {
  const path = `/w/${e2e.owner.workspaceId}/configuration/api/keys`
  const tab = await e2e.openScreen(path)
  const { page } = tab
  await page.getByText('This instance requires a second factor').waitFor()
  const blocked = await e2e.server.request('GET', `/api/departments?workspaceId=${e2e.owner.workspaceId}`, {
    session: e2e.owner.session,
  })
  expect([blocked.status, blocked.body.reason]).toEqual([403, 'second_factor_required'])
  await pressButton(page, 'Add an app')
  const secret = (await readField(page, 'Key to enter in the app')).replaceAll(' ', '')
  const enrolledAt = Date.now()
  await codeField(page).fill(readAuthenticator(secret, enrolledAt))
  const list = page.getByRole('list', { name: 'Recovery codes' })
  await list.waitFor()
  const [first = '', second = ''] = await list.getByRole('listitem').allTextContents()
  await pressButton(page, 'I have stored them')
  await waitForHeading(page, 'API keys')
  expect(new URL(page.url()).pathname).toBe(path)

  // The code that was used is no longer accepted, and that of the next step is.
  const withCode = await startSignIn()
  await codeField(withCode).fill(readAuthenticator(secret, enrolledAt))
  await withCode.getByText('Code is not correct, or was already used: enter the next one.').waitFor()
  await codeField(withCode).fill(readAuthenticator(secret, enrolledAt + TOTP_STEP_MS))
  await waitForWorkspace(withCode)

  const enterRecoveryCode = async (target: Page, code: string) => {
    await fillIn(target, { 'Recovery code': code })
    await target.keyboard.press('Enter')
  }
  const withRecoveryCode = await startSignIn()
  await pressButton(withRecoveryCode, 'Use a recovery code')
  await enterRecoveryCode(withRecoveryCode, first)
  await waitForWorkspace(withRecoveryCode)
  const again = await startSignIn()
  await pressButton(again, 'Use a recovery code')
  await enterRecoveryCode(again, first)
  await again.getByText('Recovery code is not correct, or was already used.').waitFor()
  expect(await again.getByRole('button', { name: /^Signed in as/ }).count()).toBe(0)

  await forgetVerifications(e2e)
  await pressButton(page, 'Create your first key')
  await fillIn(page, { Name: 'Main server' })
  await pressButton(page, 'Create key')
  const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await dialog.getByRole('button', { name: 'Use a recovery code' }).click()
  await dialog.getByRole('textbox', { name: 'Recovery code' }).fill(first)
  await page.keyboard.press('Enter')
  await dialog.getByText('Recovery code is not correct, or was already used.').waitFor()
  await dialog.getByRole('textbox', { name: 'Recovery code' }).fill(second)
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'The key “Main server” is ready' }).waitFor()
  const { apiKeys } = await e2e.readAsOwner('/portal/api/api-keys')
  expect(apiKeys.map(({ name }: { name: string }) => name)).toEqual(['Main server'])
  await expectNoPageErrors(tab)
}, 180_000)
