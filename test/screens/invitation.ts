import { fillIn, pressButton } from '../support/page-actions.ts'
import type { ScreenContext, ScreenFile } from '../support/screen-states.ts'
import { GROUP } from '../support/server.ts'
import { getStaff } from '../support/staff-members.ts'

let token = ''

async function prepare(context: ScreenContext): Promise<void> {
  const { server, owner, workspaceId } = context
  const { roles } = await getStaff(context)
  const body = { workspaceId, roleIds: `${roles.moderator},${roles.trainer}` }
  const response = await server.requestOk('POST', '/portal/api/invitations', { session: owner.session, body })
  token = String(response.body.token)
  await server.createAccount('guest')
}

/** The pages of an invitation link. */
export const screens: ScreenFile = {
  prepare: prepare,
  states: [
    {
      name: 'invitation',
      path: '/invitation',
      as: 'anonymous',
      heading: 'This link does not work',
      async arrange(page) {
        await page.goto(`${page.url()}#${token}`)
        await page.getByRole('heading', { name: `Join ${GROUP}` }).waitFor()
      },
    },
    {
      name: 'invitation-refused',
      path: '/invitation',
      as: 'anonymous',
      heading: 'This link does not work',
      allowedErrors: /status of 400/,
      async arrange(page) {
        await page.goto(`${page.url()}#${token}`)
        await fillIn(page, { Username: 'sam', Password: 'short' })
        await pressButton(page, `Join ${GROUP}`)
        await page.getByText('Password must be').waitFor()
      },
    },
    {
      name: 'invitation-signed-in',
      path: '/invitation',
      as: ({ server }) => server.session('guest'),
      heading: 'This link does not work',
      async arrange(page) {
        await page.goto(`${page.url()}#${token}`)
        await page.getByRole('button', { name: 'Join as guest' }).waitFor()
      },
    },
    {
      name: 'invitation-used',
      path: '/invitation#there-never-was-one',
      as: 'anonymous',
      heading: 'This link does not work',
      allowedErrors: /status of 4(04|29)/,
    },
  ],
}
