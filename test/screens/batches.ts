import { getLimitedModerator } from '../support/desk-staff.ts'
import { deskPath, prepareDesk } from '../support/desk-workspace.ts'
import { fillIn, pressButton } from '../support/page-actions.ts'
import type { ScreenFile } from '../support/screen-states.ts'

const heading = 'Batches'

/** Actions on many players or cases. */
export const screens: ScreenFile = {
  prepare: prepareDesk,
  states: [
    {
      name: 'batches',
      path: deskPath('/batches'),
      heading,
      arrange: (page) => page.getByText('Finished').nth(1).waitFor(),
    },
    {
      name: 'batches-preview',
      path: deskPath('/batches?new=action'),
      heading,
      async arrange(page) {
        await page.getByRole('combobox', { name: 'Action' }).click()
        await page.getByRole('option', { name: 'Unban' }).click()
        const players = `2617, 733, steam:76561197960287930\n${'W'.repeat(64)}`
        await fillIn(page, { 'IDs of players': players, Reason: 'They were not there' })
        await pressButton(page, 'Preview')
        await page.getByText('2 will be left alone').waitFor()
      },
    },
    {
      name: 'batches-replaces',
      path: deskPath('/batches?new=action'),
      heading,
      async arrange(page) {
        await page.getByRole('combobox', { name: 'Duration' }).click()
        await page.getByRole('option', { name: '7 days' }).click()
        await fillIn(page, { 'IDs of players': '2617, 733', Reason: 'Raid' })
        await pressButton(page, 'Preview')
        await page
          .getByText(/replaces case \d+/)
          .first()
          .scrollIntoViewIfNeeded()
      },
    },
    {
      name: 'batches-template',
      path: deskPath('/batches?new=action'),
      heading,
      as: getLimitedModerator,
      async arrange(page) {
        await page.getByRole('combobox', { name: 'Template' }).click()
        await page.getByRole('option', { name: 'Spamming' }).click()
        await fillIn(page, { 'IDs of players': `7001, 7002\n${'W'.repeat(64)}` })
        await pressButton(page, 'Preview')
        await page.getByText('Ban for 2 days: step 2 of the ladder').waitFor()
      },
    },
    {
      name: 'batches-undo',
      path: deskPath('/batches?new=undo'),
      heading,
      async arrange(page) {
        await page.getByRole('combobox', { name: 'Moderator or API key' }).click()
        await page.getByRole('option', { name: 'mallow' }).click()
        await fillIn(page, { Since: '2026-01-01T00:00', Reason: 'The account was stolen' })
        await pressButton(page, 'Preview')
        await page.getByRole('table', { name: 'Preview' }).waitFor()
      },
    },
    {
      name: 'batches-undo-beyond',
      path: deskPath('/batches?new=undo'),
      heading,
      async arrange(page) {
        await page.getByRole('combobox', { name: 'Moderator or API key' }).click()
        await page.getByRole('option', { name: 'teasel' }).click()
        await fillIn(page, { Since: '2026-01-01T00:00', Reason: 'The account was stolen' })
        await pressButton(page, 'Preview')
        const alert = page.getByRole('alert').filter({ hasText: 'This undo is not everything' })
        await alert.getByText('Links between players: 1').waitFor()
        await alert.getByRole('link', { name: 'Undo these too…' }).waitFor()
      },
    },
    {
      name: 'batch',
      path: deskPath('/batches?batch=$partialBatch'),
      heading,
      arrange: (page) => page.getByText('Left alone').first().waitFor(),
    },
    {
      name: 'batch-reverse',
      path: deskPath('/batches?batch=$batch'),
      heading,
      async arrange(page) {
        await pressButton(page, 'Reverse…')
        await page.getByRole('dialog').getByText('What somebody has changed since').waitFor()
      },
    },
    {
      name: 'batches-select',
      path: deskPath('/moderation/records'),
      heading: 'All cases',
      async arrange(page) {
        await pressButton(page, 'Select cases')
        await page.getByRole('checkbox').first().check()
        await page.getByRole('button', { name: 'Act on 1 case…' }).waitFor()
      },
    },
  ],
}
