import { expect, test } from 'bun:test'
import { useSession } from '../support/e2e-session.ts'
import { activeSanctions, openDialog, openModerationSession } from '../support/moderation.ts'
import { fillIn, PHONE, pressButton } from '../support/page-actions.ts'
import { expectNoPageErrors } from '../support/page-errors.ts'

const e2e = useSession(openModerationSession)

const STEAM_ID = '76561197960287930'

/** A player who was two before the default platform changed, and has a permanent ban under one form and one for an hour under the other. */
async function openTwoBans() {
  const workspace = await e2e.createModerationWorkspace()
  const { session, workspaceId, moderate } = workspace
  const permanent = await moderate({ action: 'ban', userId: STEAM_ID, reason: 'Exploiting' })
  const short = { action: 'ban', userId: `steam:${STEAM_ID}`, reason: 'Spam', durationSeconds: '3600' }
  const temporary = await moderate(short)
  const body = { workspaceId, defaultPlatform: 'steam' }
  await e2e.server.requestOk('PATCH', '/portal/api/workspace', { session, body })
  return {
    ...workspace,
    permanent,
    temporary,
    open: (path: string) => e2e.openScreen(workspace.toPath(path), { session, browser: PHONE }),
    appeal: ({ appealCode: code }: { readonly appealCode: string }) =>
      e2e.server.requestOk('POST', '/api/appeals', {
        session,
        body: { workspaceId, code, message: 'It was my brother.' },
      }),
    listStatuses: async () =>
      (await workspace.listRecords(STEAM_ID)).map(({ status }: { status: string }) => status),
  }
}

test('lifting the ban of a player who has two under two forms of the ID names both and ends both', async () => {
  const { open, listRecords, permanent, temporary, appeal } = await openTwoBans()
  await appeal(permanent)
  await appeal(temporary)
  const tab = await open(`/players/${STEAM_ID}`)
  const { page } = tab
  await activeSanctions(page).getByText('Banned permanently').waitFor()
  await pressButton(page, 'Lift the ban')
  await openDialog(page).getByText(`Lift all bans of ${STEAM_ID}?`).waitFor()
  await openDialog(page)
    .getByText(
      `${STEAM_ID} can join again immediately. The open appeals end. Cases 1 and 2 stay in the history, with your name and reason. Reason of case 1: \u2068Exploiting\u2069`,
    )
    .waitFor()
  await fillIn(page, { 'Reason (optional)': 'Appealed' })
  await pressButton(page, 'Lift all bans')
  await openDialog(page).waitFor({ state: 'detached' })
  await activeSanctions(page).getByText('Not banned, not muted').waitFor()
  const lifted = { status: 'revoked', revokeReason: 'Appealed', revokedByUsername: 'robin' }
  expect(await listRecords(STEAM_ID)).toMatchObject([lifted, lifted])
  await expectNoPageErrors(tab)
})

test('the case of either of the two ends both', async () => {
  const { open, temporary, listStatuses } = await openTwoBans()
  const tab = await open(`/cases/${temporary.id}`)
  const { page } = tab
  await pressButton(page, 'Lift the ban')
  await openDialog(page)
    .getByText(
      'Cases 2 and 1 stay in the history, with your name and reason. Reason of case 2: \u2068Spam\u2069',
    )
    .waitFor()
  await pressButton(page, 'Lift all bans')
  await openDialog(page).waitFor({ state: 'detached' })
  expect(await listStatuses()).toEqual(['revoked', 'revoked'])
  await expectNoPageErrors(tab)
})

test('if a colleague has lifted the one that is shown meanwhile, nothing is lifted, and what was typed stays', async () => {
  const { open, moderate, permanent, listStatuses } = await openTwoBans()
  const { page } = await open(`/players/${STEAM_ID}`)
  await pressButton(page, 'Lift the ban')
  await fillIn(page, { 'Reason (optional)': 'Appealed' })
  await moderate({ action: 'unban', id: permanent.id })
  await pressButton(page, 'Lift all bans')
  await openDialog(page)
    .getByText(/^This ban is no longer in force\. Nothing was done/)
    .waitFor()
  expect(await page.getByLabel('Reason (optional)').inputValue()).toBe('Appealed')
  expect(await listStatuses()).toEqual(['active', 'revoked'])
})
