import type { Page } from 'playwright-core'
import { press } from '../support/portal.ts'
import type { Story } from './night-owls.ts'

/** A picture of the guide. */
export interface Shot {
  readonly name: string
  readonly by: string
  /** Below the address of the workspace. */
  readonly at: string | ((story: Story) => string)
  readonly width: 390 | 1440
  readonly height?: number
  readonly isDark?: boolean
  /** A text that says that all of it is there. */
  readonly shows: string | RegExp
  /** What is done there first. */
  readonly reach?: (page: Page, story: Story) => Promise<void>
}

const DESK = 1440
const PHONE = 390
const player = { by: 'juniper', at: '/moderation/players/261', shows: 'Blocking the spawn' }

async function ban(page: Page): Promise<void> {
  await press(page, 'Ban')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radio', { name: '14 days' }).check()
  await dialog.getByLabel('Reason').fill('Exploiting again, on server 2')
  await dialog.getByText('gives way').waitFor()
}

/** Gives moderators two things that the reader has. */
async function give(page: Page): Promise<void> {
  for (const words of ['Lift bans', 'Ban players']) {
    await page.getByRole('checkbox', { name: new RegExp(`^Moderator: ${words}`) }).click()
  }
  await page.getByText('2 changes in 1 role').waitFor()
}

/** The pictures, in the order of the guide. */
export const shots: readonly Shot[] = [
  { name: 'home', by: 'mira', at: '', width: DESK, shows: 'Lantern night' },
  { name: 'search', by: 'juniper', at: '/moderation?q=storm', width: PHONE, shows: 'StormRiderr' },
  { name: 'player', ...player, width: DESK },
  { name: 'ban', ...player, width: PHONE, reach: ban },
  {
    name: 'case',
    by: 'juniper',
    at: ({ idOf }) => `/moderation/cases/${idOf('vault')}`,
    width: DESK,
    height: 1370,
    shows: 'It is mended in the next release.',
  },
  { name: 'events', by: 'mira', at: '/events?view=month', width: DESK, shows: 'Training of trainers' },
  {
    name: 'event',
    by: 'mira',
    at: '/events',
    width: PHONE,
    shows: 'Lantern night',
    async reach(page) {
      await page.getByRole('button', { name: /Lantern night/ }).click()
      await page.getByText('We meet at the harbour').waitFor()
    },
  },
  {
    name: 'permissions',
    by: 'mira',
    at: '/roles?view=permissions',
    width: DESK,
    shows: 'Senior moderator',
    reach: give,
  },
  {
    name: 'switch',
    by: 'robin',
    at: '/configuration/api/controls',
    width: DESK,
    shows: 'Ban checks of game servers',
    async reach(page) {
      await press(page, 'Switch Events')
      await page.getByRole('radio', { name: 'Read-only' }).check()
      await page.getByLabel('Message').fill('We are moving the calendar. Back on Sunday evening.')
    },
  },
  {
    name: 'log',
    by: 'mira',
    at: '/audit',
    width: DESK,
    shows: 'Pepper',
    async reach(page) {
      await page
        .getByRole('button', { name: /^Changes: juniper edited/ })
        .first()
        .click()
      await page.getByText('Before').first().waitFor()
    },
  },
  { name: 'night', by: 'juniper', at: '', width: PHONE, isDark: true, shows: 'Lantern night' },
]
