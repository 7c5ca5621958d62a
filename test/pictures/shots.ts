import type { Page } from 'playwright-core'
import { pressButton } from '../support/page-actions.ts'
import type { DemoCommunity } from './demo-community.ts'

/** A picture of the guide. */
export interface Picture {
  readonly name: string
  readonly username: string
  /** Path below the URL of the workspace. */
  readonly path: string | ((community: DemoCommunity) => string)
  readonly width: 390 | 1440
  readonly height?: number
  readonly isDark?: boolean
  /** A text that appears once everything has loaded. */
  readonly visibleText: string | RegExp
  /** Actions before the picture is taken. */
  readonly arrange?: (page: Page, community: DemoCommunity) => Promise<void>
}

const DESKTOP_WIDTH = 1440
const PHONE_WIDTH = 390
const player = { username: 'juniper', path: '/moderation/players/261', visibleText: 'Blocking the spawn' }

async function fillBanForm(page: Page): Promise<void> {
  await pressButton(page, 'Ban')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radio', { name: '14 days' }).check()
  await dialog.getByLabel('Reason').fill('Exploiting again, on server 2')
  await dialog.getByText('Replaces the active ban').waitFor()
}

/** Adds two permissions that the user has to the moderator role. */
async function grantPermissions(page: Page): Promise<void> {
  for (const label of ['Lift and shorten bans', 'Ban players']) {
    await page.getByRole('checkbox', { name: new RegExp(`^Moderator: ${label}`) }).click()
  }
  await page.getByText('2 unsaved changes in 1 role').waitFor()
}

/** The pictures in the order of the guide. */
export const pictures: readonly Picture[] = [
  { name: 'home', username: 'mira', path: '', width: DESKTOP_WIDTH, visibleText: 'Lantern night' },
  {
    name: 'search',
    username: 'juniper',
    path: '/moderation?q=storm',
    width: PHONE_WIDTH,
    visibleText: 'StormRiderr',
  },
  { name: 'player', ...player, width: DESKTOP_WIDTH },
  { name: 'ban', ...player, width: PHONE_WIDTH, arrange: fillBanForm },
  {
    name: 'case',
    username: 'juniper',
    path: ({ findCaseId }) => `/moderation/cases/${findCaseId('vault')}`,
    width: DESKTOP_WIDTH,
    height: 1370,
    visibleText: 'It is mended in the next release.',
  },
  {
    name: 'events',
    username: 'mira',
    path: '/events?view=month',
    width: DESKTOP_WIDTH,
    visibleText: 'Training of trainers',
  },
  {
    name: 'event',
    username: 'mira',
    path: '/events',
    width: PHONE_WIDTH,
    visibleText: 'Lantern night',
    async arrange(page) {
      await page.getByRole('button', { name: /Lantern night/ }).click()
      await page.getByText('We meet at the harbour').waitFor()
    },
  },
  {
    name: 'permissions',
    username: 'mira',
    path: '/roles?view=permissions',
    width: DESKTOP_WIDTH,
    visibleText: 'Senior moderator',
    arrange: grantPermissions,
  },
  {
    name: 'switch',
    username: 'robin',
    path: '/configuration/api/controls',
    width: DESKTOP_WIDTH,
    visibleText: 'Ban checks by game servers',
    async arrange(page) {
      await pressButton(page, 'Change Events')
      await page.getByRole('radio', { name: 'Read-only' }).check()
      await page.getByLabel('Message').fill('We are moving the calendar. Back on Sunday evening.')
    },
  },
  {
    name: 'log',
    username: 'mira',
    path: '/audit',
    width: DESKTOP_WIDTH,
    visibleText: 'Pepper',
    async arrange(page) {
      await page
        .getByRole('button', { name: /^Changes: juniper edited/ })
        .first()
        .click()
      await page.getByText('Before').first().waitFor()
    },
  },
  {
    name: 'night',
    username: 'juniper',
    path: '',
    width: PHONE_WIDTH,
    isDark: true,
    visibleText: 'Lantern night',
  },
]
