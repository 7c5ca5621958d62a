import { NoResponse, openConnection } from '../../faults/support/connection.ts'
import { createStatusCounter, type Prepared, repeatAction, type Scenario } from '../scenario.ts'
import { sendOk } from '../support/requests.ts'

const REQUESTS = 600

/** Each request comes from another network, because failures are counted per network. */
const formatIp = (round: number, index: number): string =>
  `10.${round % 250}.${Math.floor(index / 250)}.${index % 250}`

/** Half of them sign in with the right password; the other half sign up with a username that is taken. */
export const signIns: Scenario = {
  name: 'sign-ins',
  title: '600 concurrent sign-ins and sign-ups',
  async prepare({ url, dataset }): Promise<Prepared> {
    const { workspaceId } = dataset.texts
    const { token } = await sendOk(url, {
      path: '/portal/api/invitations',
      body: { workspaceId },
      as: { workspace: dataset.texts, kind: 'session' },
    })
    return { token }
  },
  async run(context, { token }) {
    const statuses = createStatusCounter()
    const count = await repeatAction(context, async (round) => {
      await Promise.all(
        Array.from({ length: REQUESTS }, async (_, index) => {
          const isSignUp = index % 2 === 1
          const connection = openConnection(context.url)
          try {
            const { status } = await connection.request({
              method: 'POST',
              path: isSignUp ? '/portal/api/invitation/sign-up' : '/portal/api/sign-in',
              headers: { 'sec-fetch-site': 'same-origin', 'x-forwarded-for': formatIp(round, index) },
              body: { ...context.dataset.account, ...(isSignUp ? { token } : {}) },
            })
            statuses.add(status)
          } catch (error) {
            if (!(error instanceof NoResponse)) throw error
            statuses.add(error.reason)
          }
          connection.close()
        }),
      )
    })
    if (statuses.get(200) === 0) throw new Error(`nobody could sign in: ${statuses.format()}`)
    return `${count} × ${REQUESTS} requests, ${statuses.format()}`
  },
}
