import { readServerWarnings } from '../control-socket.ts'
import { type Finding, ok, warning } from './finding.ts'

/** What requests to the running server say about mistakes in the deployment. Empty if no server is running. */
export async function checkRequests(folder: string): Promise<Finding[]> {
  const warnings = await readServerWarnings(folder)
  if (warnings === null) return []
  if (warnings.length === 0)
    return [ok('requests', 'No request since the start of the server shows a mistake in its deployment.')]
  return warnings.map(({ found, advice }) => warning('requests', found, advice))
}
