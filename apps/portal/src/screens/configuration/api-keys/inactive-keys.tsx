import { useWorkspace } from '../../../api/me.ts'
import { usePages } from '../../../api/pages.ts'
import { DataList } from '../../../components/data-list.tsx'
import { EmptyState } from '../../../components/empty-error-loading.tsx'
import { apiKeysKey, readInactiveKeys } from './key-data.ts'
import { KeyRow } from './key-row.tsx'

/** The keys that were revoked or have expired: kept, so that what they did can be told. */
export function InactiveKeys() {
  const { id } = useWorkspace()
  const pages = usePages([...apiKeysKey(id), 'ended'], (cursor) => readInactiveKeys(id, cursor))
  return (
    <DataList
      pages={pages}
      label="Ended keys"
      rows={({ keys }) => keys}
      rowKey={(key) => key.id}
      empty={
        <EmptyState title="No key has ended yet">
          Keys that were revoked or have expired stay listed here, so that you can tell later what a key was
          and who ended it.
        </EmptyState>
      }
    >
      {(key) => <KeyRow apiKey={key} />}
    </DataList>
  )
}
