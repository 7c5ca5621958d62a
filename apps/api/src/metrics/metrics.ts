import type { Ports } from '@reeve/core'
import type { MailOutcome } from '../mail/job.ts'
import type { Observer } from '../request-observer.ts'
import type { MetricName } from './definitions.ts'
import { CONTENT_TYPE, formatMetrics } from './format.ts'
import { createJobCounts, type JobObserver } from './job-counts.ts'
import { createRequestCounts } from './request-counts.ts'
import { type MetricSources, readState } from './state.ts'

/** The metrics behind `/metrics`. */
export interface Metrics {
  readonly observer: Observer
  readonly jobObserver: JobObserver
  readonly onMail: (outcome: Pick<MailOutcome, 'result'>) => void
  /** Renders everything counted since startup, and the current state, in the Prometheus text format. */
  readonly render: () => Promise<{ contentType: string; text: string }>
}

/** Counts requests, failures and jobs. Reads all other metrics when they are rendered. */
export function createMetrics(sources: MetricSources, ports: Pick<Ports, 'now'>): Metrics {
  const requests = createRequestCounts()
  const jobs = createJobCounts(ports.now)
  let failures = 0
  const signIns = { succeeded: 0, failed: 0, rate_limited: 0 }
  const mails = { sent: 0, postponed: 0, failed: 0 }

  return {
    observer: {
      onResponse: requests.count,
      onFailure() {
        failures += 1
      },
      onSignIn() {
        signIns.succeeded += 1
      },
      onSignInFailure({ reason }) {
        signIns[reason === 'rate_limited' ? 'rate_limited' : 'failed'] += 1
      },
    },
    jobObserver: jobs.observer,
    onMail({ result }) {
      mails[result] += 1
    },
    async render() {
      const state = await readState(sources)
      const text = formatMetrics([
        ...state,
        { name: 'reeve_failures_total', value: failures },
        ...presentResults('reeve_sign_ins_total', signIns),
        ...presentResults('reeve_mails_total', mails),
        ...requests.listSamples(),
        ...jobs.listSamples(),
      ])
      return { contentType: CONTENT_TYPE, text }
    },
  }
}

const presentResults = (name: MetricName, counts: Readonly<Record<string, number>>) =>
  Object.entries(counts).map(([result, value]) => ({ name, labels: { result }, value }))
