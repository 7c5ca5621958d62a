import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { copyTextWithPicture } from '../support/clipboard.ts'
import { useSession } from '../support/e2e-session.ts'
import { createMp4, joinBytes } from '../support/evidence-samples.ts'
import { openDialog, openModerationSession, TEST_PLAYER } from '../support/moderation.ts'
import { DESKTOP, expectSettled, fillIn, pressButton, waitUntil } from '../support/page-actions.ts'
import { expectNoPageErrors } from '../support/page-errors.ts'
import { drawEvening } from '../support/png.ts'

const e2e = useSession(openModerationSession)

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true }
const files = (page: Page) => page.getByRole('list', { name: 'Evidence files' })
const listNames = (page: Page) => files(page).locator('bdi').allTextContents()
const choose = (page: Page, name: string, bytes: Uint8Array) =>
  page
    .locator('input[type=file]')
    .setInputFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(bytes) })

/** Drops or pastes a PNG. */
const transfer = (page: Page, name: string, png: Buffer, target: string, event: string) =>
  page.evaluate(`(() => {
    const bytes = Uint8Array.from(atob('${png.toString('base64')}'), (one) => one.charCodeAt(0))
    const data = new DataTransfer()
    data.items.add(new File([bytes], '${name}', { type: 'image/png' }))
    const target = ${target}
    target.dispatchEvent(new ${event})
  })()`)

test('files are attached to a case by button, drop and paste, shown, saved and removed, with an error for each that is rejected', async () => {
  const { session, toPath, moderate, readRecord } = await e2e.createModerationWorkspace()
  const record = await moderate({ action: 'warn', ...TEST_PLAYER, reason: 'Spamming' })
  const tab = await e2e.openScreen(toPath(`/cases/${record.id}`), {
    session,
    heading: 'Case 1: warning',
    browser: { ...DESKTOP, acceptDownloads: true },
  })
  const { page } = tab
  await choose(page, 'evening.png', drawEvening(320, 180))
  await files(page).getByText('evening.png').waitFor()
  await choose(page, 'clip.mp4', createMp4())
  await files(page).getByText('clip.mp4').waitFor()
  const zone =
    "([...document.querySelectorAll('button')].find((b) => b.textContent === 'Add files').parentElement)"
  await transfer(
    page,
    'dropped.png',
    drawEvening(64, 64),
    zone,
    "DragEvent('drop', { dataTransfer: data, bubbles: true })",
  )
  await files(page).getByText('dropped.png').waitFor()
  await transfer(
    page,
    'pasted.png',
    drawEvening(65, 65),
    'document.body',
    "ClipboardEvent('paste', { clipboardData: data, bubbles: true })",
  )
  await expectSettled(() => listNames(page), ['evening.png', 'clip.mp4', 'dropped.png', 'pasted.png'])

  await choose(page, 'cheat.exe', joinBytes('MZ', new Uint8Array(100)))
  const problems = page.getByRole('list', { name: 'Uploads' })
  await problems
    .getByText(
      'This file must be a PNG, JPEG, WebP, GIF or AVIF picture, an MP4 or WebM video, a PDF, or text',
    )
    .waitFor()
  await pressButton(page, 'Dismiss')
  await page.evaluate(`(() => {
    const data = new DataTransfer()
    data.items.add(new File([new Uint8Array(25000001)], 'long.mp4'))
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }))
  })()`)
  await problems.getByText('The limit is 25 MB: shorten the video').waitFor()
  await pressButton(page, 'Dismiss')

  await pressButton(page, 'Show evening.png')
  const picture = page.getByRole('img', { name: 'evening.png' })
  await picture.waitFor()
  await waitUntil(page, 'document.querySelector(\'img[alt="evening.png"]\').naturalWidth === 320')
  // Not a video that plays, but one that the policy of the page lets the browser load.
  await pressButton(page, 'Show clip.mp4')
  await page.locator('video').waitFor()
  const download = page.waitForEvent('download')
  await pressButton(page, 'Download evening.png')
  expect((await download).suggestedFilename()).toBe('evening.png')
  await pressButton(page, 'Remove clip.mp4')
  await openDialog(page).getByRole('button', { name: 'Remove file' }).click()
  await page.getByText('Removed a file from case 1.').waitFor()
  await expectSettled(() => listNames(page), ['evening.png', 'dropped.png', 'pasted.png'])
  expect((await readRecord(record.id)).evidenceFiles).toHaveLength(3)
  await expectNoPageErrors(tab)
})

test('a text that is pasted with a picture of itself stays a text, and elsewhere its picture is attached', async () => {
  const { session, toPath, moderate } = await e2e.createModerationWorkspace()
  const record = await moderate({ action: 'warn', ...TEST_PLAYER, reason: 'Spamming' })
  const tab = await e2e.openScreen(toPath(`/cases/${record.id}`), {
    session,
    heading: 'Case 1: warning',
    browser: DESKTOP,
  })
  const { page } = tab
  await copyTextWithPicture(tab, 'Joined\t12:00', drawEvening(64, 64))
  const comment = page.getByLabel('New comment', { exact: true })
  await comment.focus()
  await page.keyboard.press('Control+v')
  await expectSettled(() => comment.inputValue(), 'Joined\t12:00')
  expect(await files(page).count()).toBe(0)
  await page.getByRole('button', { name: 'Add files' }).focus()
  await page.keyboard.press('Control+v')
  await expectSettled(() => files(page).getByRole('listitem').count(), 1)
  await expectNoPageErrors(tab)
})

test('an upload over a slow connection shows how much of it was sent', async () => {
  const { session, toPath, moderate } = await e2e.createModerationWorkspace()
  const record = await moderate({ action: 'warn', ...TEST_PLAYER, reason: 'Spamming' })
  const tab = await e2e.openScreen(toPath(`/cases/${record.id}`), {
    session,
    heading: 'Case 1: warning',
    browser: DESKTOP,
  })
  const { page } = tab
  // Every share that the bar shows, without waiting for one of them.
  await page.evaluate(`(() => {
    window.shares = []
    new MutationObserver(() => {
      const bar = document.querySelector('[role=progressbar][aria-label="Sending server.log"]')
      const share = bar && Number(bar.getAttribute('aria-valuenow'))
      if (share !== null && share !== window.shares.at(-1)) window.shares.push(share)
    }).observe(document.body, { subtree: true, childList: true, attributes: true })
  })()`)
  const network = await page.context().newCDPSession(page)
  const setUploadThroughput = (uploadThroughput: number) =>
    network.send('Network.emulateNetworkConditions', {
      ...{ offline: false, latency: 0, downloadThroughput: -1 },
      uploadThroughput,
    })
  await setUploadThroughput(200_000)
  await choose(page, 'server.log', joinBytes('[12:00] banned\n'.repeat(200_000)))
  await page.getByRole('progressbar', { name: 'Sending server.log' }).waitFor()
  // Fast again only after some shares: on a busy machine, the page may take seconds to show one.
  await waitUntil(page, 'window.shares.filter((share) => share > 0 && share < 100).length > 2')
  await setUploadThroughput(-1)
  await files(page).getByText('server.log').waitFor()
  await page.getByRole('progressbar', { name: 'Sending server.log' }).waitFor({ state: 'detached' })
  const shares = (await page.evaluate('window.shares')) as number[]
  expect(shares).toEqual(shares.toSorted((one, other) => one - other))
  await expectNoPageErrors(tab)
})

test('files that are chosen with an action on a phone are attached to its case, and a page among them never runs', async () => {
  const { session, toPath, workspaceId, listRecords, readRecord } = await e2e.createModerationWorkspace()
  const tab = await e2e.openScreen(toPath('/players/77001'), {
    session,
    heading: '77001',
    browser: { ...PHONE, acceptDownloads: true },
  })
  const { page } = tab
  await pressButton(page, 'Warn')
  await fillIn(page, { Reason: 'Spamming' })
  await choose(page, 'evening.png', drawEvening(320, 180))
  await choose(page, 'page.html', joinBytes('<script>globalThis.hit = 1</script><img src=x onerror="hit=1">'))
  await expectSettled(
    () => openDialog(page).getByRole('list', { name: 'Chosen files' }).locator('bdi').allTextContents(),
    ['evening.png', 'page.html'],
  )
  await pressButton(page, 'Warn 77001')
  await openDialog(page).waitFor({ state: 'detached' })
  const [{ id }] = await listRecords('77001')
  await expectSettled(
    async () => (await readRecord(id)).evidenceFiles.map(({ name }: { name: string }) => name),
    ['evening.png', 'page.html.txt'],
  )
  await page.goto(`${e2e.server.origin}${toPath(`/cases/${id}`)}`)
  await files(page).getByText('page.html.txt').waitFor()
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(PHONE.viewport.width)

  const [, { id: fileId }] = (await readRecord(id)).evidenceFiles
  const url = `/portal/api/moderation/evidence-files?${new URLSearchParams({ workspaceId, fileId })}`
  const download = page.waitForEvent('download')
  await page.evaluate(`{ location.href = ${JSON.stringify(url)} }`)
  expect((await download).suggestedFilename()).toBe('page.html.txt')
  const outcomes = await page.evaluate(`Promise.all(['script', 'img'].map((tag) =>
    new Promise((resolve) => {
      const element = document.createElement(tag)
      element.onload = () => resolve('loaded')
      element.onerror = () => resolve('refused')
      element.src = ${JSON.stringify(url)}
      document.body.append(element)
    })))`)
  expect(outcomes).toEqual(['refused', 'refused'])
  expect(await page.evaluate('globalThis.hit')).toBeUndefined()
})
