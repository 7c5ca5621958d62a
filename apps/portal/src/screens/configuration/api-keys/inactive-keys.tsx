import { useWorkspace } from '../../../api/me.ts'
import { usePages } from '../../../api/pages.ts'
import { DataList } from '../../../components/data-list.tsx'
import { EmptyState } from '../../../components/empty-error-loading.tsx'
import { useHashTarget } from '../../../components/use-hash-target.ts'
import { apiKeysKey, readInactiveKeys } from './key-data.ts'
import { KeyRow } from './key-row.tsx'

/** Revoked and expired keys. They stay listed so that their past use can be traced. */
export function InactiveKeys() {
  const { id } = useWorkspace()
  const pages = usePages([...apiKeysKey(id), 'ended'], (cursor) => readInactiveKeys(id, cursor))
  useHashTarget(pages.data !== undefined)
  return (
    <DataList
      pages={pages}
      label="Revoked and expired keys"
      rows={({ keys }) => keys}
      rowKey={(key) => key.id}
      empty={
        <EmptyState title="No revoked or expired keys">
          Revoked and expired keys stay listed here, so that you can look up what a key was for and who
          revoked it.
        </EmptyState>
      }
    >
      {(key) => <KeyRow apiKey={key} />}
    </DataList>
  )
}
