import { QUOTA_WARNING_PERCENT, storageKinds } from '@reeve/core'
import type { Database } from '@reeve/db'
import type { StorageTotals } from '@reeve/metering'
import { countJobs } from '@reeve/workspaces'
import type { Histogram, Registry } from 'prom-client'
import type { CompletedRequest, Observer } from './request-observer.ts'

/** The metrics behind `/metrics`. */
export interface Metrics {
  readonly observer: Observer
  readonly onJobFinished: (job: FinishedJob) => void
  /** Renders everything counted since startup in the Prometheus text format. */
  readonly render: () => Promise<{ contentType: string; text: string }>
}

/** A job of a workspace that has ended in this process. */
export interface FinishedJob {
  readonly kind: string
  readonly state: string
  readonly durationMs: number
}

/** Upper bounds of the duration of jobs, in seconds. */
const JOB_BUCKETS = [0.1, 0.5, 1, 5, 15, 60, 300, 900, 3600]

/** Upper bounds of the duration histogram, in seconds. */
const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

/** Any other method is counted as `other`, so that clients cannot create series. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS'])

/** How many requests are buffered before prom-client is loaded. */
const MAX_PENDING = 256

const LABELS = ['method', 'route', 'status'] as const
type RequestHistogram = Histogram<(typeof LABELS)[number]>

/** Counts requests by route, method and status class. Reads all other metrics when `/metrics` is rendered. */
export function createMetrics(
  db: Pick<Database, 'stats' | 'read'>,
  readStorage: () => Promise<StorageTotals>,
): Metrics {
  const pending: CompletedRequest[] = []
  const pendingJobs: FinishedJob[] = []
  let failures = 0
  let loading: Promise<Counters> | null = null
  let counters: Counters | null = null

  const load = () => {
    loading ??= createCounters(db, readStorage, () => failures).then((created) => {
      for (const request of pending.splice(0)) created.count(request)
      for (const job of pendingJobs.splice(0)) created.countJob(job)
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
    onJobFinished(job) {
      if (counters) return counters.countJob(job)
      pendingJobs.push(job)
      void load()
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
  readonly countJob: (job: FinishedJob) => void
}

async function createCounters(
  db: Pick<Database, 'stats' | 'read'>,
  readStorage: () => Promise<StorageTotals>,
  failures: () => number,
): Promise<Counters> {
  const prometheus = await import('prom-client')
  const { Counter, Gauge, Histogram, Registry } = prometheus
  const registry = new Registry()
  const registers = [registry]
  const durations: RequestHistogram = new Histogram({
    name: 'reeve_http_request_duration_seconds',
    help: 'Duration of HTTP requests by method, route pattern and status class',
    labelNames: LABELS,
    buckets: BUCKETS,
    registers,
  })

  const jobDurations = new Histogram({
    name: 'reeve_workspace_job_duration_seconds',
    help: 'Duration of finished jobs of workspaces by kind and result, waiting excluded',
    labelNames: ['kind', 'result'],
    buckets: JOB_BUCKETS,
    registers,
  })
  new Gauge({
    name: 'reeve_workspace_jobs',
    help: 'Unfinished jobs of workspaces of the instance by state',
    labelNames: ['state'],
    registers,
    async collect() {
      this.reset()
      // Without a database there are no values, and the other metrics are still returned.
      const counts = await countJobs(db.read).catch(() => null)
      if (!counts) return
      this.set({ state: 'queued' }, counts.queued)
      this.set({ state: 'running' }, counts.running)
    },
  })

  /** Registers a metric that is read when `/metrics` is rendered. */
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
    'Server errors; each is in the log with its stack trace',
    failures,
  )
  registerMetric(
    'counter',
    'reeve_writes_committed_total',
    'Write transactions committed to disk',
    () => db.stats().committed,
  )
  registerMetric(
    'gauge',
    'reeve_writes_waiting',
    'Write transactions waiting for a commit',
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
  registerStorageMetrics(prometheus, registry, readStorage)

  return {
    registry,
    count: createRequestCounter(durations),
    countJob: ({ kind, state, durationMs }) =>
      jobDurations.observe({ kind, result: state }, durationMs / 1000),
  }
}

/** Registers the storage of all workspaces together: a series for each of them could be too many. */
function registerStorageMetrics(
  { Gauge }: typeof import('prom-client'),
  registry: Registry,
  readStorage: () => Promise<StorageTotals>,
): void {
  const registers = [registry]
  /** Without a database there are no values, and the other metrics are still returned. */
  const tryRead = () => readStorage().catch(() => null)
  new Gauge({
    name: 'reeve_storage_bytes',
    help: 'Stored bytes of all workspaces by kind',
    labelNames: ['kind'],
    registers,
    async collect() {
      this.reset()
      const totals = await tryRead()
      for (const kind of storageKinds) if (totals) this.set({ kind }, totals.bytes[kind])
    },
  })
  new Gauge({
    name: 'reeve_storage_quota_workspaces',
    help: `Workspaces that use at least ${QUOTA_WARNING_PERCENT}% (state near) or all (state over) of their storage quota`,
    labelNames: ['state'],
    registers,
    async collect() {
      this.reset()
      const totals = await tryRead()
      if (!totals) return
      this.set({ state: 'near' }, totals.nearQuota)
      this.set({ state: 'over' }, totals.overQuota)
    },
  })
}

/** Looks up counters by existing strings: creating the label object or a combined key costs more than counting. */
function createRequestCounter(durations: RequestHistogram): (request: CompletedRequest) => void {
  const byRoute = new Map<string, Map<string, Histogram.Internal<string>[]>>()
  return ({ method, route, status, durationMs }) => {
    const byMethod = byRoute.get(route) ?? new Map<string, Histogram.Internal<string>[]>()
    if (byMethod.size === 0) byRoute.set(route, byMethod)
    const name = METHODS.has(method) ? method : 'other'
    const byClass = byMethod.get(name) ?? []
    if (byClass.length === 0) byMethod.set(name, byClass)
    const statusClass = Math.floor(status / 100)
    // Requests that match no route share one series.
    byClass[statusClass] ??= durations.labels({
      method: name,
      route: route === '' ? 'none' : route,
      status: `${statusClass}xx`,
    })
    byClass[statusClass]?.observe(durationMs / 1000)
  }
}
