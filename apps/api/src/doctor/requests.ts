import { RESPONSE_TIMEOUT_MS, type ServerState } from '../control-socket.ts'
import { type Finding, fault, ok, warning } from './finding.ts'

/**
 * What requests to the running server say about mistakes in the deployment. Empty if no server is running.
 * @param server its state
 */
export function checkRequests(folder: string, server: ServerState | 'unresponsive' | null): Finding[] {
  if (server === null) return []
  if (server === 'unresponsive')
    return [
      fault(
        'requests',
        `The server that uses ${folder} has not responded for ${RESPONSE_TIMEOUT_MS / 1000} seconds.`,
        'It hangs, or it is overloaded. Check its log and the disk, then restart it.',
      ),
    ]
  const { warnings } = server
  if (warnings.length === 0)
    return [ok('requests', 'No request since the start of the server shows a mistake in its deployment.')]
  return warnings.map(({ found, advice }) => warning('requests', found, advice))
}
