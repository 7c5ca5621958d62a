import type { CompletedRequest } from '../request-observer.ts'
import type { Sample } from './format.ts'
import { createHistogram, type Histogram, observe } from './histogram.ts'

/** Upper bounds of the duration of requests, in seconds. */
const DURATION_BOUNDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

/** Any other method is counted as `other`, so that clients cannot create series. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS'])

/** The responses with one method, route and status. */
interface ResponseSeries {
  count: number
  /** Shared with the other statuses of their class, such as `2xx`. */
  readonly durations: Histogram
}

interface RouteSeries {
  readonly method: string
  readonly route: string
  readonly byStatus: Map<number, ResponseSeries>
  readonly byClass: Map<number, Histogram>
}

export interface RequestCounts {
  readonly count: (request: CompletedRequest) => void
  readonly listSamples: () => readonly Sample[]
}

/**
 * Counts responses, and observes how long their requests took. Runs for every request, so series are looked up by existing
 * strings: creating a combined key costs more than counting.
 */
export function createRequestCounts(): RequestCounts {
  const byRoute = new Map<string, Map<string, RouteSeries>>()

  /** Requests that match no route share their series. */
  function addRoute(route: string, method: string): RouteSeries {
    const methodName = METHODS.has(method) ? method : 'other'
    const byMethod = byRoute.get(route) ?? new Map<string, RouteSeries>()
    byRoute.set(route, byMethod)
    const existing = byMethod.get(methodName)
    if (existing) return existing
    const added: RouteSeries = {
      method: methodName,
      route: route === '' ? 'none' : route,
      byStatus: new Map(),
      byClass: new Map(),
    }
    byMethod.set(methodName, added)
    return added
  }

  function addStatus({ byStatus, byClass }: RouteSeries, status: number): ResponseSeries {
    const statusClass = Math.floor(status / 100)
    const durations = byClass.get(statusClass) ?? createHistogram(DURATION_BOUNDS)
    byClass.set(statusClass, durations)
    const added = { count: 0, durations }
    byStatus.set(status, added)
    return added
  }

  const listRoutes = () => [...byRoute.values()].flatMap((byMethod) => [...byMethod.values()])

  return {
    count({ method, route, status, durationMs }) {
      const routeSeries = byRoute.get(route)?.get(method) ?? addRoute(route, method)
      const series = routeSeries.byStatus.get(status) ?? addStatus(routeSeries, status)
      series.count += 1
      observe(series.durations, durationMs / 1000)
    },
    listSamples() {
      const routes = listRoutes()
      return [
        ...routes.flatMap(({ method, route, byStatus }) =>
          [...byStatus].map(([status, { count }]) => ({
            name: 'reeve_http_responses_total' as const,
            labels: { method, route, code: String(status) },
            value: count,
          })),
        ),
        ...routes.flatMap(({ method, route, byClass }) =>
          [...byClass].map(([statusClass, durations]) => ({
            name: 'reeve_http_request_duration_seconds' as const,
            labels: { method, route, status: `${statusClass}xx` },
            value: durations,
          })),
        ),
      ]
    },
  }
}
