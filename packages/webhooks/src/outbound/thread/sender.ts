import type { Worker } from 'node:worker_threads'
import { formatIpRange } from '@reeve/auth/ip-address'
import type { Ports } from '@reeve/core'
import type { Attempt, AttemptOptions } from '../attempt.ts'
import type { Sender } from '../sender.ts'
import { collectTurn, type FromThread, type ThreadData, type ToThread } from './messages.ts'

/**
 * A sender in a thread of its own, which has its own memory to collect, so that what it sends delays no request. The thread starts with the
 * first delivery, and again after it has failed.
 * @param entry the module that calls `runSenderThread`
 */
export function createThreadSender(
  entry: URL,
  ports: Pick<Ports, 'deriveKey'>,
  options: Pick<AttemptOptions, 'outboundAllow' | 'outboundCa' | 'publicUrl' | 'userAgent'>,
): Sender {
  const pending = new Map<number, Pick<PromiseWithResolvers<Attempt>, 'resolve' | 'reject'>>()
  let lastNumber = 0
  let thread: Promise<Worker> | null = null

  function fail(error: unknown): void {
    thread = null
    const unanswered = [...pending.values()]
    pending.clear()
    for (const { reject } of unanswered) reject(error)
  }

  async function start(): Promise<Worker> {
    // Loaded on demand, to keep startup fast.
    const { Worker } = await import('node:worker_threads')
    const workerData: ThreadData = {
      outboundCa: options.outboundCa,
      userAgent: options.userAgent,
      publicUrl: options.publicUrl.href,
      outboundAllow: options.outboundAllow.map(formatIpRange),
      webhooksKey: ports.deriveKey('webhooks'),
    }
    const started = new Worker(entry, { workerData })
    started.unref()
    started.on('message', (results: FromThread) => {
      for (const { number, result } of results) {
        const attempt = pending.get(number)
        pending.delete(number)
        if ('failure' in result) attempt?.reject(new Error(result.failure))
        else attempt?.resolve(result)
      }
    })
    let cause: unknown = new Error('the thread that sends deliveries has ended')
    started.on('error', (error) => {
      cause = error
    })
    started.on('exit', () => fail(cause))
    return started
  }

  function post(message: ToThread): void {
    thread ??= start()
    thread.then((started) => started.postMessage(message), fail)
  }
  const postOutgoing = collectTurn(post)

  return {
    send: (outgoing) =>
      new Promise((resolve, reject) => {
        lastNumber += 1
        pending.set(lastNumber, { resolve, reject })
        postOutgoing({ number: lastNumber, outgoing })
      }),
    interrupt() {
      if (thread !== null) post('interrupt')
    },
    async close() {
      const started = await thread
      if (!started) return
      const exited = new Promise((resolve) => started.once('exit', resolve))
      // Otherwise the program could end while it waits for nothing but the thread.
      started.ref()
      post('close')
      await exited
    },
  }
}
