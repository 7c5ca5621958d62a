import type { Page } from 'playwright-core'
import { settlePages } from './browser.ts'
import { type openModerationSession, TEST_PLAYER } from './moderation.ts'
import { DESKTOP, expectFocus, WAIT_MS } from './page-actions.ts'

export const SEARCH = '**/portal/api/search?*'

export const palette = (page: Page) => page.getByRole('dialog', { name: 'Commands' })
export const option = (page: Page, name: string | RegExp) => palette(page).getByRole('option', { name })

/** Chooses a result. A click on a row that has just moved does nothing, so that nobody chooses what came in between: then again. */
export async function chooseResult(page: Page, name: string | RegExp): Promise<void> {
  const chosen = option(page, name)
  do {
    await chosen.click()
    await settlePages(WAIT_MS)
  } while (await chosen.isVisible())
}

export async function openPalette(page: Page): Promise<void> {
  await page.keyboard.press('Control+k')
  await palette(page).waitFor()
  await expectFocus(page, 'Commands')
}

/** A workspace with one object of every kind, open on a page that has none of them. */
export async function openPaletteWorkspace(e2e: Awaited<ReturnType<typeof openModerationSession>>) {
  const { session, workspaceId, moderate, toPath } = await e2e.createModerationWorkspace()
  await moderate({ action: 'ban', ...TEST_PLAYER, reason: 'Exploiting' })
  await moderate({ action: 'note', userId: '7', userUsername: 'Sun', reason: 'Seen' })
  const post = (path: string, body: object) => e2e.requestAsOwner('POST', path, body, workspaceId)
  await e2e.server.createMember({ workspaceId, session }, `quinn-${workspaceId}`, ['events.view'])
  await post('/portal/api/roles', { name: 'Quiz masters', rank: '5' })
  await post('/api/departments', { name: 'Quality' })
  await post('/api/events', { title: 'Quarterly meeting', scheduledFor: '2031-05-01T18:00:00Z' })
  await post('/portal/api/api-keys', { name: 'Quest server', permissions: 'events.view' })
  await post('/portal/api/invitations', { note: 'Quentin' })
  const tab = await e2e.openScreen(`/w/${workspaceId}/configuration/api/usage`, {
    session,
    heading: 'Usage',
    browser: DESKTOP,
  })
  return { ...tab, tab, session, workspaceId, toPath }
}
