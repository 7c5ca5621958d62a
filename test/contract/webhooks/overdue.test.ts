import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test'
import { checkWebhooks } from '@reeve/api/doctor/webhooks'
import { HOUR_MS } from '@reeve/core'
import { createWebhookCaller, openDeliveries } from '../../support/deliveries.ts'
import { type Instance, openInstance } from '../../support/instance.ts'
import { METRICS_TOKEN, readSeries } from '../../support/metrics.ts'
import { type Receiver, startReceiver } from '../../support/webhook-receiver.ts'

let instance: Instance
let receiver: Receiver

beforeAll(async () => {
  instance = await openInstance()
})
beforeEach(() => {
  receiver = startReceiver(() => new Response('sorry', { status: 500 }))
})
afterEach(() => {
  receiver.stop()
  expect(instance.unexpectedErrors).toEqual([])
})
afterAll(() => instance.close())

const readMetrics = async () => {
  const { text } = await instance.request('GET', '/metrics', { key: METRICS_TOKEN })
  return [readSeries(text, 'reeve_deliveries_due'), readSeries(text, 'reeve_deliveries_oldest_seconds')]
}

test('deliveries that are due are in the metrics, and in what the doctor finds after an hour, until they are sent', async () => {
  const { sendAllDue } = openDeliveries(instance)
  const workspace = await instance.workspace()
  const { create, moderate, deliveries } = createWebhookCaller(instance, workspace)
  const { webhook } = await create(receiver.url, 'ban.created', 'Ban log')
  const runDoctor = () => checkWebhooks(instance.db.read, instance.clock.now())
  expect(await readMetrics()).toEqual([0, 0])
  for (const userId of ['1', '2']) await moderate({ action: 'ban', userId, reason: 'Exploiting' })
  await sendAllDue()
  // Their next attempts are in some seconds.
  expect(await readMetrics()).toEqual([0, 0])
  const times = (await deliveries(webhook.id)).map(({ nextAttemptAt }: { nextAttemptAt: string }) =>
    Date.parse(nextAttemptAt),
  )
  instance.clock.advance(Math.min(...times) + HOUR_MS - instance.clock.now())
  expect(await readMetrics()).toEqual([2, 3600])
  expect(await runDoctor()).toMatchObject([{ verdict: 'ok' }])
  instance.clock.advance(1)
  const name = `Ban log (${webhook.id} of workspace ${workspace.id})`
  expect(await runDoctor()).toMatchObject([
    {
      verdict: 'warning',
      found: `Deliveries to 1 webhook wait although they are due: ${name} for 60 minutes.`,
      advice: expect.stringContaining('Start the server if it does not run.'),
    },
  ])
  receiver.respondWith(() => new Response('ok'))
  await sendAllDue()
  expect(await readMetrics()).toEqual([0, 0])
  expect(await runDoctor()).toMatchObject([{ verdict: 'ok' }])
})
