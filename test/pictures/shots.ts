import { join } from 'node:path'
import { openBan } from '../support/appeal-page.ts'
import { chooseMenuItem, fillIn, pressButton } from '../support/page-actions.ts'
import {
  DESKTOP_WIDTH,
  dialogPart,
  fillBanForm,
  fillTemplateForm,
  grantPermissions,
  mainPart,
  PHONE_WIDTH,
  type Picture,
  previewBatch,
  previewUndo,
} from './picture.ts'

const player = { username: 'juniper', path: '/moderation/players/261', visibleText: 'Blocking the spawn' }

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
    arrange: previewBatch,
    part: mainPart,
  },
  {
    name: 'undo',
    username: 'mira',
    path: '/batches?new=undo',
    width: DESKTOP_WIDTH,
    height: 1000,
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
