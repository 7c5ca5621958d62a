import type { WorkspaceCredentials } from '../../faults/support/populate.ts'
import { type LoadContext, repeatAction, type Scenario } from '../scenario.ts'
import { sendOk } from '../support/requests.ts'

/** Deliveries that become due each second. */
const RATE = 1000
const WORKSPACES = 5
/** As many as a workspace can have: each event is delivered to all of them. */
const WEBHOOKS = 20
const EVENT_INTERVAL_MS = (1000 * WEBHOOKS) / RATE
/** How long after the last event deliveries count as received during the load: a server that is slower than the events needs longer. */
const MAX_LATE_MS = 250

const sendChange = ({ url }: LoadContext, workspace: WorkspaceCredentials, path: string, body: object) =>
  sendOk(url, {
    path: `/api/${path}`,
    body: { workspaceId: workspace.workspaceId, ...body },
    as: { workspace, kind: 'key' },
  })

/** Adds webhooks to a workspace. @returns removes them, because other scenarios use the workspace too */
async function addWebhooks(context: LoadContext, workspace: WorkspaceCredentials, receiverUrl: string) {
  const ids: string[] = []
  for (let index = 0; index < WEBHOOKS; index++) {
    const input = { name: `Bot ${index}`, url: receiverUrl, events: 'record.created' }
    ids.push((await sendChange(context, workspace, 'webhooks', input)).webhook.id)
  }
  return async () => {
    for (const id of ids)
      await sendOk(context.url, {
        method: 'DELETE',
        path: `/api/webhooks?workspaceId=${workspace.workspaceId}&id=${id}`,
        as: { workspace, kind: 'key' },
      })
  }
}

/** Events at a constant rate, for webhooks of several workspaces whose receiver responds at once. */
export const deliveries: Scenario = {
  name: 'deliveries',
  title: '1,000 deliveries a second to webhooks',
  maxRatio: 2,
  async run(context) {
    const workspaces = context.dataset.others.slice(0, WORKSPACES)
    let received = 0
    const receiver = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch() {
        received += 1
        return new Response('ok')
      },
    })
    const removals = await Promise.all(
      workspaces.map((workspace) => addWebhooks(context, workspace, receiver.url.href)),
    )
    const startedAt = performance.now()
    const changes: Promise<unknown>[] = []
    await repeatAction(context, async (index) => {
      const workspace = workspaces[index % workspaces.length] as WorkspaceCredentials
      const note = { action: 'note', userId: `delivered${index}`, reason: 'Seen' }
      changes.push(sendChange(context, workspace, 'moderation', note))
      // A slow response does not make the next event later.
      await Bun.sleep(Math.max(0, startedAt + (index + 1) * EVENT_INTERVAL_MS - performance.now()))
    })
    await Promise.all(changes)
    const created = changes.length * WEBHOOKS
    const endedAt = performance.now()
    while (received < created && performance.now() - endedAt < MAX_LATE_MS) await Bun.sleep(5)
    const [inTime, rate] = [received, Math.round((1000 * received) / (performance.now() - startedAt))]
    await Promise.all(removals.map((remove) => remove()))
    await receiver.stop(true)
    const work = `${created} deliveries created, ${inTime} received, ${rate} a second`
    if (inTime === 0) throw new Error('nothing was delivered')
    return { work, receivedShare: inTime / created }
  },
}
