import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { PASSWORD } from '../support/instance.ts'
import { OWNER } from '../support/place.ts'
import { expectSoon, fillIn, heading, noteOf, press, typedIn } from '../support/portal.ts'
import { expectCalm, openVisits } from '../support/visit.ts'

let visits: Awaited<ReturnType<typeof openVisits>>
beforeAll(async () => {
  visits = await openVisits()
})
afterEach(() => visits.leave())
afterAll(() => visits?.close())

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

async function openAccount() {
  const place = await visits.place()
  const { session } = await place.setUp()
  const opened = await visits.visit('/account', session)
  await heading(opened.page, 'Your account')
  return { place, session, opened, page: opened.page }
}

describe('the password', () => {
  const OTHER = 'another long enough secret'

  test('is changed with the present one: it is the one to sign in with, and other sessions end', async () => {
    const { place, opened, page } = await openAccount()
    const elsewhere = await place.session()
    await fillIn(page, { 'Present password': PASSWORD, 'New password': OTHER })
    await press(page, 'Change the password')
    await page.getByText('Your password is changed.').waitFor()
    expect([await typedIn(page, 'Present password'), await typedIn(page, 'New password')]).toEqual(['', ''])
    expect((await place.call('GET', '/portal/api/me', { session: elsewhere })).status).toBe(401)
    expect(await place.session(OWNER, OTHER)).not.toBe('')
    await page.reload()
    await heading(page, 'Your account')
    await expectCalm(opened)
  })

  test('is not changed without it, nor to one that is not good enough; what was typed stays', async () => {
    const { place, page } = await openAccount()
    await fillIn(page, { 'Present password': 'not the password', 'New password': OTHER })
    await press(page, 'Change the password')
    await page
      .getByText(/^Present password /)
      .last()
      .waitFor()
    expect((await noteOf(page, 'Present password'))[0]).toBe('true')
    await expectSoon(() => typedIn(page, 'New password'), OTHER)
    await fillIn(page, { 'Present password': PASSWORD, 'New password': 'short' })
    await press(page, 'Change the password')
    await page.getByText('New password must be 10 to 200 characters.').waitFor()
    expect(await place.session(OWNER, PASSWORD)).not.toBe('')
  })
})

describe('where one is signed in', () => {
  test('tells device and address, and each other session can be ended', async () => {
    const { place, session, opened, page } = await openAccount()
    const other = await visits.visit('/', undefined, { userAgent: FIREFOX })
    await fillIn(other.page, { Username: OWNER, Password: PASSWORD })
    await press(other.page, 'Sign in')
    await other.page.getByRole('button', { name: /^Signed in as/ }).waitFor()
    await page.reload()
    const row = page.getByRole('listitem').filter({ hasText: 'Firefox on Linux' })
    await row.getByText('127.0.0.1').waitFor()
    await row.getByRole('button', { name: /^End the session/ }).click()
    const dialog = page.getByRole('dialog', { name: 'End the session of Firefox on Linux?' })
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect((await place.must('GET', '/portal/api/sessions', { session })).body.sessions).toHaveLength(2)
    await row.getByRole('button', { name: /^End the session/ }).click()
    await dialog.getByRole('button', { name: 'End the session' }).click()
    await page.getByText('The session has ended.').waitFor()
    await row.waitFor({ state: 'detached' })
    expect((await place.must('GET', '/portal/api/sessions', { session })).body.sessions).toHaveLength(1)
    await expectCalm(opened)
  })

  test('all others are ended at once, and this one goes on', async () => {
    const { place, session, page } = await openAccount()
    for (let more = 0; more < 3; more++) await place.session()
    await page.reload()
    await press(page, 'End all others')
    await press(page, 'End the others')
    await page.getByText('3 sessions ended.').waitFor()
    expect((await place.must('GET', '/portal/api/sessions', { session })).body.sessions).toHaveLength(1)
    await page.getByRole('button', { name: 'End all others' }).waitFor({ state: 'detached' })
  })
})
