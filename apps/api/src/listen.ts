import { chmodSync, lstatSync, unlinkSync } from 'node:fs'
import { AppError } from '@reeve/core'
import { toErrorBody } from '@reeve/http'
import { resolvePublicUrl } from './config.ts'
import { createSecurityHeaders } from './security-headers.ts'
import { type Config, settings } from './settings.ts'

/** Far above our own limits, which respond in JSON: Bun's own refusal has no body. No body is buffered whole. */
const ENGINE_BODY_LIMIT = 2 ** 40
/**
 * Seconds without traffic in either direction, on ports and Unix sockets alike. The time of a handler counts too, but not if its request has
 * a body that has arrived: measured with Bun 1.4.5.
 */
const IDLE_SECONDS = 120

/** An IP address or host name, and a port. */
export interface NetworkAddress {
  readonly host: string
  readonly port: number
}

/** The connection over a Unix socket comes from a process on this machine: the reverse proxy. */
const UNIX_PEER_IP = '127.0.0.1'

type ListenConfig = Pick<Config, 'host' | 'port' | 'sharePort' | 'listen' | 'listenMode' | 'publicUrl'>

/** A socket that accepts requests. */
export interface Listener {
  /** The URL, or `unix:` and the path of the socket. */
  readonly url: string
  /** The port; that of the settings for a Unix socket. */
  readonly port: number
  /** The IP address of the connected client. */
  readonly getPeerIp: (request: Request) => string
  /** Stops accepting requests, and ends those in progress if `isForced`. */
  readonly stop: (isForced?: boolean) => Promise<void>
}

/**
 * Listens on a port or a Unix socket.
 * @throws Error with advice if it cannot listen
 */
export function listen(
  config: ListenConfig,
  fetch: (request: Request) => Response | Promise<Response>,
  report: (error: unknown) => void,
): Listener {
  const headers = createSecurityHeaders(config.publicUrl?.protocol === 'https:')
  const options: ServeOptions = {
    fetch,
    development: false,
    maxRequestBodySize: ENGINE_BODY_LIMIT,
    idleTimeout: IDLE_SECONDS,
    error(error) {
      report(error)
      return Response.json(toErrorBody(new AppError('internal_error'), ''), { status: 500, headers })
    },
  }
  const server =
    config.listen === null ? listenOnPort(config, options) : listenOnSocket(config, config.listen, options)
  const port = server.port ?? config.port
  return {
    url:
      config.listen === null
        ? resolvePublicUrl({ host: config.host, publicUrl: null }, port).origin
        : `unix:${config.listen}`,
    port,
    getPeerIp: (request) =>
      server.requestIP(request)?.address ?? (config.listen === null ? '' : UNIX_PEER_IP),
    stop: (isForced = false) => server.stop(isForced),
  }
}

interface ServeOptions {
  readonly fetch: (request: Request) => Response | Promise<Response>
  readonly development: false
  readonly maxRequestBodySize: number
  readonly idleTimeout: number
  readonly error: (error: unknown) => Response
}

function listenOnPort({ host, port, sharePort }: ListenConfig, options: ServeOptions) {
  try {
    // Bun shares the port by default when `development` is false.
    return Bun.serve({ ...options, hostname: host, port, reusePort: sharePort })
  } catch (error) {
    throw new Error(toListenError(host, port, String((error as { code?: unknown }).code)))
  }
}

/**
 * Listens on the address of the metrics.
 * @throws Error with advice if it cannot listen
 */
export function listenForMetrics(
  { host, port }: NetworkAddress,
  fetch: (request: Request) => Promise<Response>,
): Pick<Listener, 'url' | 'stop'> {
  try {
    const server = Bun.serve({ fetch, development: false, hostname: host, port, reusePort: false })
    return {
      url: resolvePublicUrl({ host, publicUrl: null }, server.port ?? port).origin,
      stop: () => server.stop(true),
    }
  } catch (error) {
    const reason = String((error as { code?: unknown }).code)
    const problem =
      reason === 'EADDRINUSE'
        ? `another program is already using port ${port} on ${host}`
        : `cannot listen on ${host}, port ${port} (${reason})`
    throw new Error(
      `${settings.metricsListen.env}: ${problem}. Set another address; each process needs its own.`,
    )
  }
}

/** Why it cannot listen, and what to do. */
function toListenError(host: string, port: number, code: string): string {
  const advice = `Set ${settings.port.env} or --port to another port.`
  if (code === 'EADDRINUSE') return `Another program is already using port ${port} on ${host}. ${advice}`
  if (code === 'EACCES') return `This user does not have permission to listen on port ${port}. ${advice}`
  return `Cannot listen on ${host}, port ${port} (${code}). Set ${settings.host.env} to an IP address of this machine.`
}

/** Nobody else can connect before the socket has its mode: the umask applies from its creation. */
function listenOnSocket({ listenMode }: ListenConfig, path: string, options: ServeOptions) {
  const mask = process.umask(0o777)
  try {
    // Bun applies `idleTimeout` to Unix sockets too; only its types leave it out.
    const socketOptions: Omit<ServeOptions, 'idleTimeout'> = options
    const server = Bun.serve({ ...socketOptions, unix: path })
    chmodSync(path, listenMode)
    return server
  } catch (error) {
    throw new Error(toSocketError(path, String((error as { code?: unknown }).code)))
  } finally {
    process.umask(mask)
  }
}

function toSocketError(path: string, code: string): string {
  const label = `${settings.listen.env}: `
  if (code === 'EADDRINUSE') return `${label}another server is already listening on ${path}. ${OTHER_PATH}`
  if (code === 'ENOENT')
    return `${label}the folder of ${path} does not exist. Create it, or set another path.`
  if (code === 'EACCES' || code === 'EPERM')
    return `${label}this user does not have permission to create ${path}. Change the owner of its folder, or set another path.`
  return `${label}cannot listen on ${path} (${code}). ${OTHER_PATH}`
}

const OTHER_PATH = 'Stop that server, or set another path.'

/**
 * Removes the socket of a server that was killed. A socket that a server listens on stays, and so does any other file.
 * @throws Error with advice in both cases
 */
export async function removeStaleSocket(path: string): Promise<void> {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (!found) return
  if (!found.isSocket())
    throw new Error(
      `${settings.listen.env}: ${path} exists and is not a socket. Remove it, or set another path.`,
    )
  if (await hasListener(path)) throw new Error(toSocketError(path, 'EADDRINUSE'))
  // Another server may have replaced it meanwhile.
  if (lstatSync(path, { throwIfNoEntry: false })?.ino === found.ino) unlinkSync(path)
}

async function hasListener(path: string): Promise<boolean> {
  try {
    const connection = await Bun.connect({ unix: path, socket: { data() {} } })
    connection.end()
    return true
  } catch (error) {
    const { code } = error as { code?: unknown }
    if (code === 'ECONNREFUSED' || code === 'ENOENT') return false
    throw new Error(toSocketError(path, String(code)))
  }
}
