import { beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { useSession } from '../support/e2e-session.ts'
import { openModerationSession } from '../support/moderation.ts'
import { DESKTOP, expectSettled, waitUntil } from '../support/page-actions.ts'
import { expectNoPageErrors } from '../support/page-errors.ts'
import { findMiddle, pressAtChange } from '../support/stray-tap.ts'

const e2e = useSession(openModerationSession)

const ROWS = 1000
const row = (page: Page, caseNumber: number) =>
  page.getByRole('link', { name: `Case ${caseNumber}`, exact: true })

/** The distance of a row from the top of the window. */
const readTop = (page: Page, caseNumber: number) =>
  row(page, caseNumber)
    .boundingBox()
    .then((box) => Math.round(box?.y ?? Number.NaN))

let workspace: Awaited<ReturnType<typeof e2e.createModerationWorkspace>>
beforeAll(async () => {
  workspace = await e2e.createModerationWorkspace()
  for (let created = 0; created < ROWS; created += 100) {
    const batch = Array.from({ length: 100 }, () =>
      workspace.moderate({ action: 'note', userId: '261', reason: 'Reason' }),
    )
    await Promise.all(batch)
  }
}, 60_000)

/** Loads cases of a workspace that has 1,000 of them. @param count at least so many */
async function openLongList(count = ROWS) {
  const { session, toPath } = workspace
  const tab = await e2e.openScreen(toPath('/records'), { session, heading: 'All cases', browser: DESKTOP })
  const { page } = tab
  const list = page.getByRole('list', { name: 'All cases' })
  await row(page, ROWS).waitFor()
  const last = list.locator('li').last()
  while (Number(await last.getAttribute('aria-posinset')) < count) {
    await page.evaluate('scrollTo(0, document.body.scrollHeight)')
    await page.evaluate('new Promise((next) => requestAnimationFrame(next))')
  }
  return { tab, page, list }
}

test('a list goes on loading if a busy browser reports together that its end left the screen and came back', async () => {
  const { session, toPath } = workspace
  const { page } = await e2e.openScreen(toPath('/records'), {
    session,
    heading: 'All cases',
    browser: DESKTOP,
  })
  await page.addInitScript({
    content: `globalThis.IntersectionObserver = class extends IntersectionObserver {
      constructor(callback, options) {
        super((changes, observer) => {
          const isBack = changes.at(-1).isIntersecting
          callback(isBack ? [{ isIntersecting: false }, ...changes] : changes, observer)
        }, options)
      }
    }`,
  })
  await page.reload()
  // The last of the first page, which is rendered after what a screen shows at first.
  await row(page, ROWS - 49).waitFor()
  await page.evaluate('scrollTo(0, document.body.scrollHeight)')
  await row(page, ROWS - 60).waitFor()
})

test('a list of 1,000 rows renders few of them, and all on paper', async () => {
  const { tab, page, list } = await openLongList()
  expect(await list.locator('li').count()).toBeLessThan(150)
  const last = list.locator('li').last()
  expect([await last.getAttribute('aria-posinset'), await last.getAttribute('aria-setsize')]).toEqual([
    '1000',
    '1000',
  ])
  await page.emulateMedia({ media: 'print' })
  await expectSettled(() => list.locator('li').count(), ROWS)
  await page.emulateMedia({ media: 'screen' })
  await expectSettled(async () => (await list.locator('li').count()) < 150, true)
  await expectNoPageErrors(tab)
})

test('the keyboard moves through a long list row by row, and Back returns to the same row', async () => {
  const { page } = await openLongList()
  await page.evaluate('scrollTo(0, document.body.scrollHeight / 2)')
  await expectSettled(async () => (await page.locator('li[aria-posinset="500"]').count()) === 1, true)
  const link = page.locator('li[aria-posinset="500"]').getByRole('link', { name: /^Case / })
  const name = Number((await link.textContent())?.replace('Case ', ''))
  await link.focus()
  for (let step = 1; step <= 60; step++) {
    // The player and the case of the next row.
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    // Rows are rendered as the page scrolls, which it does once a frame: nobody is faster than that.
    await page.evaluate('new Promise((next) => requestAnimationFrame(next))')
  }
  await expectSettled(() => page.evaluate<string>('document.activeElement.textContent'), `Case ${name - 60}`)
  // The focus survives scrolling away from its row.
  await page.evaluate('scrollTo(0, 0)')
  await row(page, ROWS).waitFor()
  await expectSettled(() => page.evaluate<string>('document.activeElement.textContent'), `Case ${name - 60}`)
  await row(page, name - 60).scrollIntoViewIfNeeded()
  await waitUntil(page, 'scrollY > 10000')
  const top = await readTop(page, name - 60)
  await row(page, name - 60).click()
  await page.getByRole('heading', { name: `Case ${name - 60}: note` }).waitFor()
  await page.goBack()
  await row(page, name - 60).waitFor()
  await expectSettled(async () => Math.abs((await readTop(page, name - 60)) - top) < 5, true)
})

/** Runs in the page before its scripts: the numbers of rows that were rendered one after another. */
const OBSERVE_ROWS = `{
  globalThis.rowCounts = []
  new MutationObserver(() => {
    const count = document.querySelectorAll('ul[aria-label="All cases"] > li').length
    if (count !== (rowCounts.at(-1) ?? 0)) rowCounts.push(count)
  }).observe(document, { childList: true, subtree: true })
}`
const PAGE = 50

/** Opens the list of all cases anew, as the first screen of the page. */
async function openListFirst() {
  const { session, toPath } = workspace
  const { page } = await e2e.openScreen(toPath(), { session, heading: 'Moderation', browser: DESKTOP })
  await page.addInitScript({ content: OBSERVE_ROWS })
  const received = page.waitForResponse(/\/api\/moderation\?/).then((response) => response.finished())
  // The scripts arrive only after the data.
  await page.route(/\/main-\w+\.js$/, async (route) => {
    await received
    await route.continue()
  })
  await page.goto(new URL(toPath('/records'), page.url()).href)
  await row(page, ROWS - PAGE + 1).waitFor()
  return page
}

const readRowCounts = (page: Page) => page.evaluate<readonly number[]>('rowCounts')

test('a page that is opened shows the first rows of a list before it renders the others', async () => {
  const page = await openListFirst()
  await expectSettled(() => readRowCounts(page), [15, PAGE])
})

test.each([
  ['at once', false],
  ['after a screen without them could have been shown', true],
])('a page that is reloaded returns to the row that it showed, if its data come %s', async (_, isLate) => {
  const page = await openListFirst()
  const caseNumber = ROWS - 25
  await page.evaluate(`document.querySelectorAll('ul[aria-label="All cases"] > li')[25].scrollIntoView()`)
  await expectSettled(() => page.evaluate<boolean>('scrollY > 500'), true)
  const top = await readTop(page, caseNumber)
  if (isLate)
    await page.route(/\/api\/moderation\?/, async (route) => {
      await page.locator('main [aria-busy=true]').first().waitFor()
      await route.continue()
    })
  await page.reload()
  await row(page, caseNumber).waitFor()
  await expectSettled(() => readTop(page, caseNumber), top)
  expect((await readRowCounts(page))[0]).toBe(PAGE)
})

const addCase = () => workspace.moderate({ action: 'note', userId: '261', reason: 'Reason' })

test('a row in a long list of which a part is loaded stays where it is on the screen when a case is added, and reacts at once', async () => {
  const { page } = await openLongList(250)
  const caseNumber = ROWS - 125
  await page.evaluate('scrollTo(0, 11_000)')
  await row(page, caseNumber).waitFor()
  await row(page, caseNumber).scrollIntoViewIfNeeded()
  await expectSettled(() => row(page, caseNumber).count(), 1)
  const top = await readTop(page, caseNumber)
  const position = page.locator('li', { has: row(page, caseNumber) })
  const before = await position.getAttribute('aria-posinset')
  const { x, y } = await findMiddle(row(page, caseNumber))
  await pressAtChange(
    page,
    addCase,
    async () => (await position.getAttribute('aria-posinset')) !== before,
    async () => {
      expect(Math.abs((await readTop(page, caseNumber)) - top)).toBeLessThan(2)
      await page.mouse.click(x, y)
    },
  )
  await page.getByRole('heading', { name: `Case ${caseNumber}: note` }).waitFor()
})

test('a click on the first rows of a long list opens no other case that a live update has just moved there', async () => {
  const { page, list } = await openLongList()
  await page.evaluate('scrollTo(0, 0)')
  const shown = list.getByRole('link', { name: /^Case / })
  await expectSettled(
    async () => (await list.locator('li').first().getAttribute('aria-posinset')) === '1',
    true,
  )
  const { x, y } = await findMiddle(shown.nth(1))
  const first = await shown.first().textContent()
  const url = page.url()
  await pressAtChange(
    page,
    addCase,
    async () => (await shown.first().textContent()) !== first,
    () => page.mouse.click(x, y),
  )
  await expectSettled(async () => page.url(), url)
})
