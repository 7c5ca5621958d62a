import { parentPort, workerData } from 'node:worker_threads'
import { type IpRange, parseIpRange } from '@reeve/auth/ip-address'
import { createSender } from '../sender.ts'
import { collectTurn, type FromThread, type ThreadData, type ToThread } from './messages.ts'

/** Sends the deliveries that `createThreadSender` passes on, until it is closed. Call it first in a thread of its own. */
export function runSenderThread(): void {
  const { webhooksKey, outboundAllow, publicUrl, ...data } = workerData as ThreadData
  const { send, interrupt } = createSender(
    // Nothing else is decrypted here.
    { now: Date.now, deriveKey: () => webhooksKey },
    {
      ...data,
      outboundAllow: outboundAllow.map((range) => parseIpRange(range) as IpRange),
      publicUrl: new URL(publicUrl),
    },
  )
  const post = collectTurn<FromThread[number]>((results) => parentPort?.postMessage(results))
  parentPort?.on('message', (message: ToThread) => {
    if (message === 'close') process.exit()
    if (message === 'interrupt') return interrupt()
    for (const { number, outgoing } of message)
      send(outgoing).then(
        (result) => post({ number, result }),
        (error: Error) => post({ number, result: { failure: error.stack ?? error.message } }),
      )
  })
}
