import { expect, test } from 'bun:test'
import { permissions } from '@reeve/core'
import { openE2eSession, useSession } from '../support/e2e-session.ts'
import { pressButton } from '../support/page-actions.ts'
import { expectNoPageErrors } from '../support/page-errors.ts'

const e2e = useSession(openE2eSession)
const NAME = 'thistledown'

test('the owner removes the name of a deleted account from the history of the workspace', async () => {
  const id = await e2e.createWorkspace('Night Watch')
  const { session: owner } = e2e.owner
  await e2e.server.createMember({ workspaceId: id, session: owner }, NAME, permissions)
  const session = await e2e.server.session(NAME)
  const body = { workspaceId: id, action: 'note', userId: '7', reason: 'Asked for help' }
  await e2e.server.requestOk('POST', '/api/moderation', { session, body })
  await e2e.server.requestOk('POST', '/portal/api/account/delete', { session, body: {} })
  const tab = await e2e.openScreen(`/w/${id}/people?tab=deleted`, { heading: 'People' })
  const { page } = tab
  await pressButton(page, `Remove the name ${NAME}`)
  await page.getByRole('dialog').getByText('You cannot undo this.').waitFor()
  await pressButton(page, 'Remove name')
  const list = page.getByRole('list', { name: 'Deleted accounts' })
  await list.getByText(/^(Removing name|Name removed)$/).waitFor()
  await list.getByText('Deleted account', { exact: true }).waitFor()
  expect(await list.getByText(NAME).count()).toBe(0)
  await expectNoPageErrors(tab)
})
