import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { readConfig } from '@reeve/api/config'
import { createCertificate } from '@reeve/db/test-tls'
import { createWebhookCaller, openDeliveries } from '../../support/deliveries.ts'
import { type Instance, openInstance } from '../../support/instance.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { type Receiver, startReceiver } from '../../support/webhook-receiver.ts'

/** Two receivers on one port, each with a self-signed certificate. The first is the default. */
const HOSTS = ['first.test', 'second.test'] as const
/** A name of the same address that has no certificate. */
const OTHER_HOST = 'third.test'

const folder = temporaryFolder()
const certificates = HOSTS.map((host) => createCertificate(folder.path, host, host))
let instance: Instance
let receiver: Receiver

beforeAll(async () => {
  instance = await openInstance()
  const tls = certificates.map((path, index) => ({
    serverName: HOSTS[index] as string,
    cert: readFileSync(`${path}.crt`, 'utf8'),
    key: readFileSync(`${path}.key`, 'utf8'),
  }))
  receiver = startReceiver(undefined, { tls })
})
afterEach(() => expect(instance.unexpectedErrors).toEqual([]))
afterAll(async () => {
  receiver.stop()
  await instance.close()
  folder.remove()
})

/** Delivers an event to a host, on an instance with this file in `REEVE_OUTBOUND_CA`. @returns the delivery */
async function deliver(host: string, caFile: string) {
  const { outboundCa } = readConfig({}, { REEVE_OUTBOUND_CA: caFile })
  const deliveries = openDeliveries(instance, { outboundCa, resolve: async () => ['127.0.0.1'] })
  const workspace = createWebhookCaller(instance, await instance.workspace())
  const { webhook } = await workspace.create(`https://${host}:${receiver.port}/hook`, 'ban.created')
  await workspace.moderate({ action: 'ban', userId: '261', reason: 'Exploiting' })
  await deliveries.sendAllDue()
  const [delivery] = await workspace.deliveries(webhook.id)
  // The next test would send it again.
  await workspace.call('DELETE', 'webhooks', { id: webhook.id })
  return delivery
}

describe('a receiver with a certificate of a private authority', () => {
  test.each(HOSTS.map((host, index) => [host, `${certificates[index]}.crt`] as const))(
    'gets events as %s, if the authority is in REEVE_OUTBOUND_CA and the certificate is for that name',
    async (host, caFile) => {
      const before = receiver.received.length
      expect(await deliver(host, caFile)).toMatchObject({ state: 'delivered', lastStatus: '200' })
      const requests = receiver.received.slice(before)
      expect(requests.map(({ headers }) => headers.host)).toEqual([`${host}:${receiver.port}`])
    },
  )

  test.each([
    ['without REEVE_OUTBOUND_CA', HOSTS[0], '', 'self-signed'],
    ['with another authority', HOSTS[0], `${certificates[1]}.crt`, 'self-signed'],
    ['as another host name', OTHER_HOST, `${certificates[0]}.crt`, 'another host name'],
  ])('gets nothing %s', async (_, host, caFile, error) => {
    const before = receiver.received.length
    expect(await deliver(host, caFile)).toMatchObject({
      state: 'pending',
      lastError: expect.stringContaining(error),
    })
    expect(receiver.received).toHaveLength(before)
  })

  test('is reached without the proxy of the environment', async () => {
    let connections = 0
    const proxy = Bun.listen({
      port: 0,
      hostname: '127.0.0.1',
      socket: {
        open(socket) {
          connections += 1
          socket.end()
        },
        data() {},
      },
    })
    const names = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'] as const
    for (const name of names) process.env[name] = `http://127.0.0.1:${proxy.port}`
    try {
      const delivery = await deliver(HOSTS[0], `${certificates[0]}.crt`)
      expect([delivery.state, connections]).toEqual(['delivered', 0])
      // The proxy is in use otherwise, so the test proves something.
      await expect(fetch(`https://127.0.0.1:${receiver.port}/`)).rejects.toThrow()
      expect(connections).toBeGreaterThan(0)
    } finally {
      for (const name of names) delete process.env[name]
      proxy.stop(true)
    }
  })
})
