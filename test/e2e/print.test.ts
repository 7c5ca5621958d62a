import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { openE2eSession, useSession } from '../support/e2e-session.ts'
import { DESKTOP, waitForHeading } from '../support/page-actions.ts'
import { expectNoPageErrors } from '../support/page-errors.ts'

const e2e = useSession(openE2eSession)

const LONG_REASON = 'Exploiting: walked through the vault’s wall. '.repeat(12).trim()
const EVIDENCE = 'https://clips.example.com/261/vault-wall.mp4'

/** A workspace with a banned player and an event. */
async function createWorkspace() {
  const workspace = await e2e.createWorkspaceFixture()
  const { record } = await workspace.requestAsOwner('POST', '/api/moderation', {
    action: 'ban',
    userId: '261',
    userUsername: 'StormRider',
    reason: LONG_REASON,
    evidence: EVIDENCE,
  })
  const { event } = await workspace.requestAsOwner('POST', '/api/events', {
    title: 'Patrol',
    scheduledFor: '2031-02-01T18:00:00Z',
    description: 'Meet at the gate. '.repeat(60),
    experienceUrl: 'https://www.example.com/games/1',
    experienceName: 'The vault',
  })
  return { ...workspace, recordId: String(record.id), eventId: String(event.id) }
}

/** Prints the page in dark mode, as a browser does. */
async function print(page: Page): Promise<void> {
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await page.getByText(/^Printed .*\d{4}/).waitFor()
}

/** The text on paper, with what styles add to links. */
const readPaper = async (page: Page) => {
  const texts = await page.evaluate<string[]>(
    `[document.body.innerText, ...[...document.querySelectorAll('a')].map((link) => {
      const { content } = getComputedStyle(link, '::after')
      return link.textContent.trim() + (content === 'none' ? '' : content.replaceAll('" "', '').replaceAll('"', ''))
    })]`,
  )
  return texts.join(' ').replaceAll(/\s+/g, ' ')
}

/** What is on paper but of no use there. */
const findControls = (page: Page) =>
  page.evaluate<string[]>(
    `[...document.querySelectorAll('button, nav, input, textarea, select, body > #root > header, [role=tablist]')]
      .filter((element) => !element.ariaHidden && element.checkVisibility()).map((element) => element.outerHTML.slice(0, 120))`,
  )

/** Texts that are not black, backgrounds that are not white, and texts that are cut off. */
const findBadStyles = (page: Page) =>
  page.evaluate<string[]>(
    `[...document.querySelectorAll('body, body *')].filter((element) => !element.ariaHidden && element.checkVisibility()).flatMap((element) => {
      const { color, backgroundColor, webkitLineClamp, overflow } = getComputedStyle(element)
      const isWhite = backgroundColor === 'rgba(0, 0, 0, 0)' || backgroundColor === 'rgb(255, 255, 255)'
      const isCut = webkitLineClamp !== 'none' || (overflow === 'hidden' && element.scrollHeight > element.clientHeight + 1 && element.clientHeight > 1)
      return color === 'rgb(0, 0, 0)' && isWhite && !isCut ? [] : [element.outerHTML.slice(0, 120) + color + backgroundColor]
    })`,
  )

describe('on paper', () => {
  const screens = [
    ['a case', '/moderation/cases/$record', 'Case 1: ban', [LONG_REASON, EVIDENCE, 'StormRider']],
    ['a player’s page', '/moderation/players/261', 'StormRider 261', [LONG_REASON, 'Banned']],
    ['a list of cases', '/moderation/records', 'All cases', [LONG_REASON, 'Case 1']],
    ['the audit log', '/audit', 'Audit log', ['robin created']],
    [
      'an event',
      '/events?event=$event',
      'Patrol',
      ['Meet at the gate.', 'Open experience (https://www.example.com/games/1)'],
    ],
  ] as const

  for (const [name, path, heading, texts] of screens) {
    test(`${name} has its texts, the workspace, the time and the URL, and no controls; black on white`, async () => {
      const workspace = await createWorkspace()
      const realPath = path.replace('$record', workspace.recordId).replace('$event', workspace.eventId)
      const tab = await workspace.openScreen(realPath, { browser: { ...DESKTOP, colorScheme: 'dark' } })
      const { page } = tab
      await waitForHeading(page, heading)
      await page.getByText(texts[0].slice(0, 30)).first().waitFor()
      await print(page)
      const paper = await readPaper(page)
      for (const text of [...texts, heading, 'Night Shift', page.url()]) expect(paper).toContain(text)
      expect(paper).not.toContain('just now')
      expect(await findControls(page)).toEqual([])
      expect(await findBadStyles(page)).toEqual([])
      // At the top of the first sheet.
      const title = page.getByRole('heading', { name: heading, exact: true })
      expect((await title.boundingBox())?.y).toBeLessThan(300)
      // An open dialog is printed alone.
      expect(await page.locator('main').isVisible()).toBe(name !== 'an event')
      await expectNoPageErrors(tab)
    })
  }

  test('no entry of a list is divided by a page break, and a screen shows none of it', async () => {
    const workspace = await createWorkspace()
    const { page } = await workspace.openScreen('/moderation/records', { heading: 'All cases' })
    const entry = page.getByRole('list', { name: 'All cases' }).getByRole('listitem').first()
    await entry.waitFor()
    expect(await page.getByText(/^Printed/).count()).toBe(0)
    await print(page)
    expect(await entry.evaluate((element) => getComputedStyle(element).breakInside)).toBe('avoid')
    expect((await page.pdf()).subarray(0, 5).toString()).toBe('%PDF-')
  })
})
