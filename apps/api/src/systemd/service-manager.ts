import type { Environment } from '../config.ts'

/** Notifies systemd of the state of the service. Source: sd_notify(3) */
export interface ServiceManager {
  /** What the service is doing, as `systemctl status` shows it. */
  readonly setStatus: (status: string) => void
  /** Startup has completed: requests are accepted. */
  readonly notifyReady: (status: string) => void
  readonly notifyStopping: (status: string) => void
  readonly notifyAlive: (status: string) => void
}

/** Outside systemd, or in a unit without notifications. */
const noManager: ServiceManager = {
  setStatus: () => {},
  notifyReady: () => {},
  notifyStopping: () => {},
  notifyAlive: () => {},
}

/**
 * The service manager that started this process.
 * @param onFailure receives a sentence if notifications cannot be sent; the service runs without them
 */
export async function connectServiceManager(
  env: Environment,
  onFailure: (message: string) => void,
): Promise<ServiceManager> {
  const address = env.NOTIFY_SOCKET
  if (!address) return noManager
  try {
    // Loaded on demand: it loads the C library.
    const { openDatagramSocket } = await import('./notify-socket.ts')
    const send = openDatagramSocket(address)
    const notify = (...lines: string[]) => {
      if (!send(lines.join('\n'))) onFailure(`systemd did not accept ${lines[0]}.`)
    }
    const withStatus = (line: string) => (status: string) => notify(line, formatStatus(status))
    return {
      setStatus: (status) => notify(formatStatus(status)),
      notifyReady: withStatus('READY=1'),
      notifyStopping: withStatus('STOPPING=1'),
      notifyAlive: withStatus('WATCHDOG=1'),
    }
  } catch (error) {
    onFailure(`Cannot notify systemd: ${(error as Error).message}.`)
    return noManager
  }
}

const formatStatus = (status: string): string => `STATUS=${status.replaceAll('\n', ' ')}`

/**
 * The time within which systemd expects a sign of life, in milliseconds; null if it expects none from this process.
 * Source: sd_watchdog_enabled(3)
 */
export function readWatchdogTimeout(env: Environment, processId: number): number | null {
  const microseconds = Number(env.WATCHDOG_USEC)
  const isForAnother = env.WATCHDOG_PID !== undefined && Number(env.WATCHDOG_PID) !== processId
  return microseconds > 0 && !isForAnother ? microseconds / 1000 : null
}
