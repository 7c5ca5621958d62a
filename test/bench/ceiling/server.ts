import type { Handlers } from './answers.ts'

/**
 * The ceiling: a bare `Bun.serve` that does the same work as Reeve with none of ours: no key check, no permission, no control,
 * no metering, no rate limit, no validation.
 *
 * Run as `bun server.ts <database file or postgres://…>`; prints its address. Without a database it only answers.
 */
const [database] = process.argv.slice(2)

async function handlersOn(place: string): Promise<Handlers> {
  if (place.startsWith('postgres://')) return (await import('./postgres.ts')).onPostgres(place)
  return (await import('./sqlite.ts')).onSqlite(place)
}

const handlers: Handlers = database === undefined ? {} : await handlersOn(database)
const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch(request) {
    const url = new URL(request.url)
    return handlers[url.pathname]?.(url) ?? new Response('ok')
  },
})
process.stdout.write(`${server.url}\n`)
