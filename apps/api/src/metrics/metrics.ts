import type { Ports } from '@reeve/core'
import type { Observer } from '../request-observer.ts'
import { CONTENT_TYPE, formatMetrics } from './format.ts'
import { createJobCounts, type JobObserver } from './job-counts.ts'
import { createRequestCounts } from './request-counts.ts'
import { type MetricSources, readState } from './state.ts'

/** The metrics behind `/metrics`. */
export interface Metrics {
  readonly observer: Observer
  readonly jobObserver: JobObserver
  /** Renders everything counted since startup, and the current state, in the Prometheus text format. */
  readonly render: () => Promise<{ contentType: string; text: string }>
}

/** Counts requests, failures and jobs. Reads all other metrics when they are rendered. */
export function createMetrics(sources: MetricSources, ports: Pick<Ports, 'now'>): Metrics {
  const requests = createRequestCounts()
  const jobs = createJobCounts(ports.now)
  let failures = 0

  return {
    observer: {
      onResponse: requests.count,
      onFailure() {
        failures += 1
      },
    },
    jobObserver: jobs.observer,
    async render() {
      const state = await readState(sources)
      const text = formatMetrics([
        ...state,
        { name: 'reeve_failures_total', value: failures },
        ...requests.listSamples(),
        ...jobs.listSamples(),
      ])
      return { contentType: CONTENT_TYPE, text }
    },
  }
}
