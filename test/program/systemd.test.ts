import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { readWatchdogTimeout } from '@reeve/api/systemd/service-manager'
import { createDatabase, createFaultProxy, dropDatabase } from '@reeve/db/test-cluster'
import { BINARY, SOURCE, startServer } from '../support/program.ts'
import { type Notification, startServiceManager } from '../support/service-manager.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'

setDefaultTimeout(120_000)

const WATCHDOG_USEC = '400000'

let folder: TemporaryFolder
beforeAll(() => {
  folder = temporaryFolder()
})
afterAll(() => folder.remove())

const isReady = ({ READY }: Notification) => READY === '1'
const isAlive = ({ WATCHDOG }: Notification) => WATCHDOG === '1'
const hasFailingWrites = ({ STATUS = '' }: Notification) => STATUS.includes('writes fail')

for (const [kind, program, getAddress] of [
  ['from source, at a path', SOURCE, () => join(folder.path, 'notify')],
  ['as a binary, at an abstract name', BINARY, () => `@reeve-test-${crypto.randomUUID()}`],
] as const) {
  test(`systemd is told when the server is ready, alive and stopping (${kind})`, async () => {
    const manager = await startServiceManager(getAddress())
    const server = await startServer({
      dataDir: folder.data,
      program,
      env: { ...manager.env, WATCHDOG_USEC },
    })
    const ready = await manager.waitFor(isReady)
    const url = ready.STATUS?.replace('Serving ', '')
    expect(url).toBe(server.url)
    expect((await fetch(`${url}/readyz`)).status).toBe(200)
    await manager.waitFor(isAlive)
    const signs = manager.notifications.length
    await manager.waitFor(isAlive, signs)
    expect(await server.stop()).toBe(0)
    const stopping = await manager.waitFor(({ STOPPING }) => STOPPING === '1')
    expect(manager.notifications[0]).toEqual({ STATUS: 'Opening the database' })
    expect(manager.notifications.findIndex(isAlive)).toBeGreaterThan(manager.notifications.findIndex(isReady))
    expect(manager.notifications.at(-1)).toBe(stopping)
    await manager.stop()
  })
}

describe('the watchdog', () => {
  test('gives no sign while a write hangs; while writes fail, it says so', async () => {
    const manager = await startServiceManager(`@reeve-test-${crypto.randomUUID()}`)
    const url = await createDatabase('template1')
    const proxy = createFaultProxy(url)
    const server = await startServer({
      dataDir: folder.data,
      env: { ...manager.env, WATCHDOG_USEC, REEVE_DATABASE_URL: proxy.url },
    })
    await manager.waitFor(isAlive)
    proxy.block('stalled')
    const stalledAt = manager.notifications.length
    // Answered once the server has given up on the database; that takes several timeouts of the watchdog.
    expect((await fetch(`${server.url}/readyz`)).status).toBe(503)
    const during = manager.notifications.slice(stalledAt).filter((sign) => !hasFailingWrites(sign))
    expect(during.length).toBeLessThanOrEqual(1)
    proxy.unblock()
    await manager.waitFor((sign) => isAlive(sign) && !hasFailingWrites(sign), stalledAt + during.length)

    proxy.block('cut')
    const cutAt = manager.notifications.length
    await manager.waitFor((sign) => isAlive(sign) && hasFailingWrites(sign), cutAt)
    proxy.unblock()
    const unblockedAt = manager.notifications.length
    await manager.waitFor((sign) => isAlive(sign) && !hasFailingWrites(sign), unblockedAt)
    expect(await server.stop()).toBe(0)
    await dropDatabase(url)
    await manager.stop()
  })

  test('is off without a timeout, and for another process', () => {
    expect(readWatchdogTimeout({}, 7)).toBeNull()
    expect(readWatchdogTimeout({ WATCHDOG_USEC: '0' }, 7)).toBeNull()
    expect(readWatchdogTimeout({ WATCHDOG_USEC: '60000000' }, 7)).toBe(60_000)
    expect(readWatchdogTimeout({ WATCHDOG_USEC: '60000000', WATCHDOG_PID: '7' }, 7)).toBe(60_000)
    expect(readWatchdogTimeout({ WATCHDOG_USEC: '60000000', WATCHDOG_PID: '8' }, 7)).toBeNull()
  })
})

test('a socket that cannot be used is a warning, and the server runs without it', async () => {
  for (const [address, message] of [
    ['vsock:2:1', 'unsupported socket address vsock:2:1'],
    [join(folder.path, 'nobody'), 'systemd did not accept'],
  ] as const) {
    const server = await startServer({ dataDir: folder.data, env: { NOTIFY_SOCKET: address } })
    const warning = await server.waitForLog(({ level }) => level === 'warn')
    expect(warning.msg).toContain(message)
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
    expect(await server.stop()).toBe(0)
  }
})
