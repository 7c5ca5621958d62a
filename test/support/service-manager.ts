import { join } from 'node:path'

/** The assignments of one notification, such as `{ READY: '1' }`. */
export type Notification = Readonly<Record<string, string>>

/** Stands in for systemd: receives what a service sends with sd_notify(3). */
export interface ServiceManager {
  /** The variables that systemd sets for the service. */
  readonly env: Readonly<Record<string, string>>
  readonly notifications: readonly Notification[]
  /** Waits for a notification, also for one that has arrived already. @param from an index into `notifications` */
  readonly waitFor: (matches: (notification: Notification) => boolean, from?: number) => Promise<Notification>
  readonly stop: () => Promise<void>
}

/** @param address a path, or an abstract name that begins with `@` */
export async function startServiceManager(address: string): Promise<ServiceManager> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'notify-receiver.ts'), address], {
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const notifications: Notification[] = []
  const waiters = new Set<() => void>()
  let isBound = false
  const reading = (async () => {
    let buffer = ''
    const decoder = new TextDecoder()
    for await (const chunk of child.stdout) {
      const lines = (buffer + decoder.decode(chunk, { stream: true })).split('\n')
      buffer = lines.pop() ?? ''
      for (const line of lines) {
        const text = JSON.parse(line) as string
        if (!isBound) isBound = text === 'bound'
        else notifications.push(parseNotification(text))
      }
      for (const check of waiters) check()
    }
  })()
  const waitUntil = <T>(find: () => T | undefined): Promise<T> =>
    new Promise((resolve) => {
      const check = () => {
        const found = find()
        if (found === undefined) return
        waiters.delete(check)
        resolve(found)
      }
      waiters.add(check)
      check()
    })
  await waitUntil(() => isBound || undefined)
  return {
    env: { NOTIFY_SOCKET: address },
    notifications,
    waitFor: (matches, from = 0) => waitUntil(() => notifications.slice(from).find(matches)),
    async stop() {
      child.kill('SIGKILL')
      await Promise.all([child.exited, reading])
    },
  }
}

const parseNotification = (text: string): Notification =>
  Object.fromEntries(
    text.split('\n').map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )
