import type { Database } from '@reeve/db'
import type { Histogram, Registry } from 'prom-client'
import type { CompletedRequest, Observer } from './request-observer.ts'

/** What `/metrics` shows. */
export interface Metrics {
  readonly observer: Observer
  /** Everything counted since the start, in the text format of Prometheus. */
  readonly render: () => Promise<{ contentType: string; text: string }>
}

/** Upper bounds of the duration histogram, in seconds. */
const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

/** Any other method is counted under one name, so that callers cannot make up series. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS'])

/** How many calls wait at the most for the library, which is loaded when there is something to do with it. */
const MAX_PENDING = 256

const LABELS = ['method', 'route', 'status'] as const
type RequestHistogram = Histogram<(typeof LABELS)[number]>

/** Counts calls by route, method and class of status, and reads the rest when asked. */
export function createMetrics(db: Pick<Database, 'stats'>): Metrics {
  const pending: CompletedRequest[] = []
  let failures = 0
  let loading: Promise<Counters> | null = null
  let counters: Counters | null = null

  const load = () => {
    loading ??= createCounters(db, () => failures).then((created) => {
      for (const request of pending.splice(0)) created.count(request)
      counters = created
      return created
    })
    return loading
  }

  return {
    observer: {
      onResponse(request) {
        if (counters) return counters.count(request)
        pending.push(request)
        if (pending.length === MAX_PENDING) void load()
      },
      onFailure() {
        failures += 1
      },
    },
    async render() {
      const { registry } = await load()
      return { contentType: registry.contentType, text: await registry.metrics() }
    },
  }
}

interface Counters {
  readonly registry: Registry
  readonly count: (request: CompletedRequest) => void
}

async function createCounters(db: Pick<Database, 'stats'>, failures: () => number): Promise<Counters> {
  const { Counter, Gauge, Histogram, Registry } = await import('prom-client')
  const registry = new Registry()
  const registers = [registry]
  const durations: RequestHistogram = new Histogram({
    name: 'reeve_http_request_duration_seconds',
    help: 'How long calls took to answer, by method, route pattern and class of status',
    labelNames: LABELS,
    buckets: BUCKETS,
    registers,
  })

  /** A number that is read when the page is, under a name that says whether it only grows. */
  const registerMetric = (kind: 'counter' | 'gauge', name: string, help: string, read: () => number) => {
    if (kind === 'gauge') {
      new Gauge({
        name,
        help,
        registers,
        collect() {
          this.set(read())
        },
      })
      return
    }
    new Counter({
      name,
      help,
      registers,
      collect() {
        this.reset()
        this.inc(read())
      },
    })
  }
  registerMetric(
    'counter',
    'reeve_failures_total',
    'Failures of our own: each is in the log with its stack',
    failures,
  )
  registerMetric(
    'counter',
    'reeve_writes_committed_total',
    'Units of work that are on disk',
    () => db.stats().committed,
  )
  registerMetric(
    'gauge',
    'reeve_writes_waiting',
    'Units of work that wait for a commit',
    () => db.stats().waiting,
  )
  registerMetric('gauge', 'process_resident_memory_bytes', 'Resident memory size in bytes', () =>
    process.memoryUsage.rss(),
  )
  registerMetric(
    'gauge',
    'process_heap_bytes',
    'Process heap size in bytes',
    () => process.memoryUsage().heapUsed,
  )
  registerMetric(
    'counter',
    'process_cpu_seconds_total',
    'Total user and system CPU time spent in seconds',
    () => {
      const { user, system } = process.cpuUsage()
      return (user + system) / 1e6
    },
  )
  registerMetric(
    'gauge',
    'process_start_time_seconds',
    'Start time of the process since unix epoch in seconds',
    () => Math.round(Date.now() / 1000 - process.uptime()),
  )

  return { registry, count: createRequestCounter(durations) }
}

/** Two look-ups by words that are there already: making the labels, or a key of them, costs more than the counting. */
function createRequestCounter(durations: RequestHistogram): (request: CompletedRequest) => void {
  const byRoute = new Map<string, Map<string, Histogram.Internal<string>[]>>()
  return ({ method, route, status, durationMs }) => {
    const byMethod = byRoute.get(route) ?? new Map<string, Histogram.Internal<string>[]>()
    if (byMethod.size === 0) byRoute.set(route, byMethod)
    const name = METHODS.has(method) ? method : 'other'
    const byClass = byMethod.get(name) ?? []
    if (byClass.length === 0) byMethod.set(name, byClass)
    const statusClass = Math.floor(status / 100)
    // What no route answered is one series, whatever was asked for.
    byClass[statusClass] ??= durations.labels({
      method: name,
      route: route === '' ? 'none' : route,
      status: `${statusClass}xx`,
    })
    byClass[statusClass]?.observe(durationMs / 1000)
  }
}
