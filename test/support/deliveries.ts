import { createDeliveryOptions } from '@reeve/api/outbound/deliveries'
import { type Attempt, type AttemptOptions, createDeliveryRunner, createSender } from '@reeve/webhooks'
import { LOOPBACK } from './app-options.ts'
import type { Instance } from './instance.ts'
import type { Receiver } from './webhook-receiver.ts'

/** What delivers the events of an instance. The test decides when: `sendAllDue` sends everything that is due. */
export function openDeliveries(instance: Instance, sending: Partial<AttemptOptions> = {}) {
  const attempts: Attempt[] = []
  const { db, ports, context } = instance
  const options = createDeliveryOptions({
    db,
    ports,
    config: { outboundAllow: LOOPBACK, outboundCa: null, oidcProviders: [] },
    publicUrl: context.settings.publicUrl,
    onFailure: (error) => instance.unexpectedErrors.push(error),
    onAttempt: (attempt) => attempts.push(attempt),
    // With the clock of the test.
    createSender: (testPorts, sendOptions) => createSender(testPorts, { ...sendOptions, ...sending }),
  })
  const runner = createDeliveryRunner(options)
  return { ...runner, attempts }
}

/** Delivers what has happened. @returns the type and the data of the events that the receiver has got since the last call, by sequence */
export async function takeEvents({ sendAllDue }: ReturnType<typeof openDeliveries>, { received }: Receiver) {
  await sendAllDue()
  const events = received.map(({ body }) => ({ type: body.type, ...body.data }))
  received.length = 0
  // Deliveries are concurrent, so they arrive in any order.
  return events.sort(
    (one, other) => Number(one.sequence) - Number(other.sequence) || (one.type < other.type ? -1 : 1),
  )
}

type Workspace = { readonly id: string; readonly key: string }

/** The requests about the webhooks of a workspace, sent with its key. */
export function createWebhookCaller(instance: Instance, workspace: Workspace) {
  const call = async (method: string, path: string, input: Record<string, unknown> = {}) => {
    const isQuery = method === 'GET' || method === 'DELETE'
    const query = new URLSearchParams({ workspaceId: workspace.id, ...(input as Record<string, string>) })
    const response = await instance.request(method, `/api/${path}${isQuery ? `?${query}` : ''}`, {
      key: workspace.key,
      ...(isQuery ? {} : { body: { workspaceId: workspace.id, ...input } }),
    })
    if (response.status !== 200) throw new Error(`${method} ${path}: ${response.text}`)
    return response.body
  }
  return {
    call,
    create: (url: string, events: string, name = 'Bot') => call('POST', 'webhooks', { name, url, events }),
    read: async (id: string) => (await call('GET', 'webhooks', { id })).webhook,
    deliveries: async (webhookId: string) =>
      (await call('GET', 'webhooks/deliveries', { webhookId })).deliveries,
    moderate: async (input: Record<string, unknown>) => (await call('POST', 'moderation', input)).record,
  }
}
