import { peopleIn } from '../support/people.ts'
import { GROUP } from '../support/place.ts'
import { fillIn, press } from '../support/portal.ts'
import type { Scene, Screens } from '../support/scene.ts'

let token = ''

async function invite(scene: Scene): Promise<void> {
  const { place, owner, workspaceId } = scene
  const { roles } = await peopleIn(scene)
  const body = { workspaceId, roleIds: `${roles.moderator},${roles.trainer}` }
  const answer = await place.must('POST', '/portal/api/invitations', { session: owner.session, body })
  token = String(answer.body.token)
  await place.account('guest')
}

/** What whoever was sent a link sees. */
export const screens: Screens = {
  prepare: invite,
  looks: [
    {
      name: 'invitation',
      at: '/invitation',
      as: 'nobody',
      heading: 'This link does not work',
      async reach(page) {
        await page.goto(`${page.url()}#${token}`)
        await page.getByRole('heading', { name: `Join ${GROUP}` }).waitFor()
      },
    },
    {
      name: 'invitation-refused',
      at: '/invitation',
      as: 'nobody',
      heading: 'This link does not work',
      complaints: /status of 400/,
      async reach(page) {
        await page.goto(`${page.url()}#${token}`)
        await fillIn(page, { Username: 'sam', Password: 'short' })
        await press(page, `Join ${GROUP}`)
        await page.getByText('Password must be').waitFor()
      },
    },
    {
      name: 'invitation-signed-in',
      at: '/invitation',
      as: ({ place }) => place.session('guest'),
      heading: 'This link does not work',
      async reach(page) {
        await page.goto(`${page.url()}#${token}`)
        await page.getByRole('button', { name: 'Join as guest' }).waitFor()
      },
    },
    {
      name: 'invitation-used',
      at: '/invitation#there-never-was-one',
      as: 'nobody',
      heading: 'This link does not work',
      complaints: /status of 4(04|29)/,
    },
  ],
}
