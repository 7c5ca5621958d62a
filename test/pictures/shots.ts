import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { openBan } from '../support/appeal-page.ts'
import { chooseMenuItem, fillIn, pressButton } from '../support/page-actions.ts'
import type { DemoCommunity } from './demo-community.ts'

/** A picture of the guide. */
export interface Picture {
  readonly name: string
  /** Null for a visitor without an account. */
  readonly username: string | null
  /** Path below the URL of the workspace; of a visitor, below that of the server. */
  readonly path: string | ((community: DemoCommunity) => string)
  readonly width: 390 | 1440
  readonly height?: number
  readonly isDark?: boolean
  /** A text that appears once everything has loaded. */
  readonly visibleText: string | RegExp
  /** Actions before the picture is taken. */
  readonly arrange?: (page: Page, community: DemoCommunity) => Promise<void>
  /** The part of the page to show; all of it by default. */
  readonly part?: (page: Page) => Locator
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

/** The content of a screen, without the navigation. */
const mainPart = (page: Page) => page.locator('main .mantine-Container-root').first()
const dialogPart = (page: Page) => page.getByRole('dialog')

/** Opens the form of a player with a template, which leads to a ban that needs approval. */
async function fillTemplateForm(page: Page): Promise<void> {
  await pressButton(page, 'Warn')
  await page.getByRole('dialog').getByRole('radio', { name: 'Exploiting', exact: true }).check()
  await page.getByText('asks another person to approve').waitFor()
}

/** Previews the undo of what an account did in the last day. */
async function previewUndo(page: Page): Promise<void> {
  await page.getByRole('combobox', { name: 'Moderator or API key' }).click()
  await page.getByRole('option', { name: 'tomas' }).click()
  await fillIn(page, { Since: '2026-11-18T00:00', Reason: 'The account was stolen' })
  await pressButton(page, 'Preview')
  await page.getByRole('table', { name: 'Preview' }).waitFor()
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
  { name: 'ban', ...player, width: PHONE_WIDTH, height: 1150, arrange: fillBanForm },
  {
    name: 'case',
    username: 'juniper',
    path: ({ findCase }) => `/moderation/cases/${findCase('vault').id}`,
    width: DESKTOP_WIDTH,
    height: 2330,
    visibleText: 'It is mended in the next release.',
    arrange: (page) => page.getByText('Nobody works on this case.').waitFor(),
  },
  {
    name: 'template',
    username: 'juniper',
    path: '/moderation/players/1566',
    width: PHONE_WIDTH,
    height: 1100,
    visibleText: 'landed in the vault',
    arrange: fillTemplateForm,
  },
  {
    name: 'approvals',
    username: 'mira',
    path: '/moderation/approvals',
    width: DESKTOP_WIDTH,
    visibleText: 'sena requested a permanent ban.',
    part: mainPart,
  },
  {
    name: 'evidence',
    username: 'juniper',
    path: ({ findCase }) => `/moderation/cases/${findCase('vault').id}`,
    width: PHONE_WIDTH,
    height: 2600,
    visibleText: 'vault-wall.png',
    arrange: (page) => pressButton(page, 'Show vault-wall.png'),
    part: (page) =>
      page.locator('section').filter({ has: page.getByRole('heading', { name: 'Evidence files' }) }),
  },
  {
    name: 'appeal',
    username: 'mira',
    path: '/appeals',
    width: DESKTOP_WIDTH,
    height: 1500,
    visibleText: 'mira works on it',
    async arrange(page) {
      await page.getByRole('link', { name: /StormRider/ }).click()
      await page.getByLabel('Shorten the ban').check()
      await page.getByLabel('The ban ends').selectOption('3')
      await page.getByText('The ban is shortened').waitFor()
    },
    part: mainPart,
  },
  {
    name: 'appeals',
    username: 'mira',
    path: '/appeals',
    width: DESKTOP_WIDTH,
    visibleText: 'mira works on it',
    part: mainPart,
  },
  {
    name: 'appeal-page',
    username: null,
    path: '/appeal',
    width: PHONE_WIDTH,
    height: 1000,
    visibleText: 'Appeal code',
    arrange: (page, { findCase }) => openBan(page, findCase('vault').appealCode ?? ''),
  },
  {
    name: 'inbox',
    username: 'mira',
    path: '/inbox',
    width: PHONE_WIDTH,
    visibleText: 'Reported by 4 players',
  },
  {
    name: 'known',
    username: 'mira',
    path: '/moderation/players/2617',
    width: DESKTOP_WIDTH,
    visibleText: 'Same voice',
    part: mainPart,
  },
  {
    name: 'batch',
    username: 'mira',
    path: '/batches?new=action',
    width: DESKTOP_WIDTH,
    height: 1100,
    visibleText: 'IDs of players',
    async arrange(page) {
      await fillIn(page, { 'IDs of players': '90210, 3013, 3021\n7001\n7002', Reason: 'Raid of the harbour' })
      await pressButton(page, 'Preview')
      await page.getByRole('table', { name: 'Preview' }).waitFor()
    },
    part: mainPart,
  },
  {
    name: 'undo',
    username: 'mira',
    path: '/batches?new=undo',
    width: DESKTOP_WIDTH,
    visibleText: 'Moderator or API key',
    arrange: previewUndo,
    part: mainPart,
  },
  {
    name: 'insights',
    username: 'mira',
    path: '/insights',
    width: DESKTOP_WIDTH,
    height: 700,
    visibleText: 'Whole period',
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
    name: 'limits',
    username: 'robin',
    path: '/roles',
    width: PHONE_WIDTH,
    height: 980,
    visibleText: 'Senior moderator',
    arrange: (page) => chooseMenuItem(page, 'Actions for Senior moderator', 'Limits'),
  },
  {
    name: 'ladder',
    username: 'robin',
    path: '/configuration/reasons',
    width: DESKTOP_WIDTH,
    height: 1200,
    visibleText: 'Insulting others',
    async arrange(page) {
      await page.getByRole('tab', { name: 'Ladders' }).click()
      await chooseMenuItem(page, 'Change Chat', 'Edit')
      await page.getByRole('list', { name: 'What happens' }).waitFor()
    },
    part: dialogPart,
  },
  {
    name: 'export',
    username: 'robin',
    path: '/moderation/records?severity=high',
    width: DESKTOP_WIDTH,
    height: 640,
    visibleText: 'JSON Lines',
  },
  {
    name: 'retention',
    username: 'robin',
    path: '/configuration/retention',
    width: DESKTOP_WIDTH,
    height: 1000,
    visibleText: 'Notes',
    arrange: (page) => fillIn(page, { Notes: '365', Warnings: '730' }),
    part: mainPart,
  },
  {
    name: 'erase',
    username: 'robin',
    path: '/moderation/players/261',
    width: PHONE_WIDTH,
    height: 1000,
    visibleText: 'Blocking the spawn',
    async arrange(page) {
      await chooseMenuItem(page, 'Data of this player', 'Erase…')
      await page.getByText('This cannot be undone').waitFor()
      await page.getByLabel('Bans, without texts and names').check()
      await fillIn(page, { Reason: 'Request by e-mail of 17 November' })
    },
  },
  {
    name: 'platform',
    username: 'robin',
    path: '/configuration/workspace',
    width: DESKTOP_WIDTH,
    visibleText: 'Default platform',
    part: (page) => page.locator('section').filter({ has: page.getByLabel('Default platform') }),
  },
  {
    name: 'import',
    username: 'robin',
    path: '/configuration/import',
    width: DESKTOP_WIDTH,
    height: 1100,
    visibleText: 'New import',
    async arrange(page) {
      await page.getByLabel('Format').selectOption('csv')
      await page.locator('input[type="file"]').setInputFiles(join(import.meta.dir, '../import/bans.csv'))
      await page.getByLabel('Player ID').selectOption('player')
      await page.getByLabel(/^Time/).selectOption('when')
      await page.getByLabel('Reason').selectOption('why')
    },
    part: mainPart,
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
