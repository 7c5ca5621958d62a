import { test } from 'bun:test'
import { openE2eSession, useSession } from '../support/e2e-session.ts'
import { expectFitsWindow } from '../support/page-actions.ts'

const session = useSession(openE2eSession)

test('a moderator previews a batch, starts it, reads its results and reverses it', async () => {
  const { page } = await session.openScreen(`/w/${session.owner.workspaceId}/batches?new=action`, {
    heading: 'Batches',
  })
  await page.getByLabel('IDs of players').fill('7001, 7002\n7003')
  await page.getByLabel('Reason').fill('Raid')
  await page.getByRole('button', { name: 'Preview' }).click()
  await page.getByText('3 targets: 3 will change').waitFor()
  await page.getByRole('table', { name: 'Preview' }).getByText('Will change').first().waitFor()
  await page.getByRole('button', { name: 'Start: 3 targets' }).click()
  await page.getByRole('button', { name: 'Reverse…' }).click()
  await page.getByRole('dialog').getByLabel('Reason').fill('By mistake')
  await page.getByRole('button', { name: 'Reverse the batch' }).click()
  await page.getByText('Reversal · 3 cases').waitFor()
  await page.getByText('Finished: 3 changed').waitFor()
  await page.setViewportSize({ width: 390, height: 844 })
  await expectFitsWindow(page)
})

test('cases that are selected in a list are those of the batch, and insights count what was done', async () => {
  const { page } = await session.openScreen(`/w/${session.owner.workspaceId}/moderation/records`, {
    heading: 'All cases',
  })
  await page.getByRole('button', { name: 'Select cases' }).click()
  await page.getByRole('checkbox').first().check()
  await page.getByRole('button', { name: 'Act on 1 case…' }).click()
  await page.getByText('1 ID now.').waitFor()
  const insights = await session.openScreen(`/w/${session.owner.workspaceId}/insights`, {
    heading: 'Insights',
  })
  await insights.page.getByRole('tab', { name: 'By reason' }).click()
  await insights.page.getByRole('table', { name: 'By reason' }).getByText('Raid').waitFor()
})
