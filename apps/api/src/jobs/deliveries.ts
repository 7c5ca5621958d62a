import { createDeliveryRunner, type DeliveryOptions } from '@reeve/webhooks'
import type { Job } from './scheduler.ts'

/** After an error of the program, the runner starts again this soon. */
const RESTART_MS = 5000

/** Sends what happens in workspaces to their webhooks, on each process. */
export function createDeliveryJob(options: DeliveryOptions): Job {
  const runner = createDeliveryRunner(options)
  return {
    name: 'deliveries',
    intervalMs: RESTART_MS,
    runsOn: 'each',
    startsAtOnce: true,
    run: (signal) => runner.run(signal),
  }
}
