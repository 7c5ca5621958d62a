import { useLocation } from '@tanstack/react-router'
import { useWorkspaceOrNull } from '../api/me.ts'
import { useIsPrinting } from '../components/use-printing.ts'
import { getNow } from '../format/clock.ts'
import { formatExactTime } from '../format/time.ts'

/** The top of a printed page: the workspace, when it was printed, and the URL of the page. */
export function PrintHeader() {
  const isPrinting = useIsPrinting()
  const workspace = useWorkspaceOrNull()
  const { href } = useLocation()
  if (!isPrinting) return null
  return (
    <div className="print-only print-header">
      <strong>
        <bdi>{workspace?.groupName ?? 'Reeve'}</bdi>
      </strong>
      <span>Printed {formatExactTime(getNow())}</span>
      <span>{new URL(href, window.location.origin).href}</span>
    </div>
  )
}
