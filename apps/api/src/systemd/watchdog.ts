import type { Ports } from '@reeve/core'
import { type Database, statement } from '@reeve/db'
import type { ServiceManager } from './service-manager.ts'

/** Signs of life per timeout: a slow disk or one lost notification must not look like a hang. */
const SIGNS_PER_TIMEOUT = 4

const recordSign = statement<{ now: number }>({ isCommutative: true })((sql, p) =>
  sql
    .insertInto('job')
    .values({ name: 'watchdog', begun_at: p.now })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet((eb) => ({ begun_at: eb.ref('excluded.begun_at') })),
    ),
)

export interface WatchdogOptions {
  readonly db: Pick<Database, 'write'>
  readonly ports: Pick<Ports, 'now'>
  readonly manager: Pick<ServiceManager, 'notifyAlive'>
  /** In milliseconds. */
  readonly timeoutMs: number
  /** The status while writes succeed. */
  readonly status: string
}

/**
 * Gives signs of life while the event loop runs and the database answers writes. After a write that hangs there is none, and
 * systemd restarts the process. A write that fails (a full disk, a database server that is down) is answered: a restart would
 * not help, and ban checks continue; the status says so.
 * @returns a function that ends it
 */
export function startWatchdog({ db, ports, manager, timeoutMs, status }: WatchdogOptions): () => void {
  let timer: ReturnType<typeof setTimeout> | null = null
  let isStopped = false
  async function giveSign(): Promise<void> {
    const problem = await db
      .write((tx) => tx.run(recordSign, { now: ports.now() }))
      .then(
        () => null,
        (error: unknown) => (error instanceof Error ? error.message : String(error)),
      )
    if (isStopped) return
    manager.notifyAlive(problem === null ? status : `${status}; writes fail: ${problem}`)
    timer = setTimeout(giveSign, timeoutMs / SIGNS_PER_TIMEOUT)
  }
  void giveSign()
  return () => {
    isStopped = true
    if (timer !== null) clearTimeout(timer)
  }
}
