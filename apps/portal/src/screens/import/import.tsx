import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useHasPermission, useWorkspace } from '../../api/me.ts'
import type { ReadScreen } from '../../app/early-data.ts'
import { ErrorState, LoadingRows } from '../../components/empty-error-loading.tsx'
import { Forbidden } from '../../components/forbidden.tsx'
import { Screen } from '../../components/screen.tsx'
import { EarlierImports } from './earlier-imports.tsx'
import { ImportCard } from './import-card.tsx'
import { importsQuery, isUnfinished } from './import-data.ts'
import { ImportForm } from './import-form.tsx'

/** Reads what the screen shows first. */
export const earlyReads: { readonly ImportScreen: ReadScreen } = {
  ImportScreen: ({ client, params: { workspaceId } }) => [client.prefetchQuery(importsQuery(workspaceId))],
}

/** Imports records from other tools. */
export function ImportScreen() {
  const canImport = useHasPermission('moderation.import')
  return (
    <Screen
      title="Import"
      description="Bring the bans, mutes, warnings and notes of another tool. The file is checked first, and nothing changes before you say so."
    >
      {canImport ? <Imports /> : <Forbidden permission="moderation.import" />}
    </Screen>
  )
}

function Imports() {
  const { id } = useWorkspace()
  const imports = useQuery(importsQuery(id))
  if (imports.isError && !imports.data)
    return <ErrorState error={imports.error} retry={() => void imports.refetch()} />
  if (!imports.data) return <LoadingRows rows={3} height={160} />
  const [newest, ...earlier] = imports.data
  return (
    <Stack gap="md">
      {newest && <ImportCard key={newest.id} current={newest} />}
      <ImportForm isBusy={newest !== undefined && isUnfinished(newest)} />
      {earlier.length > 0 ? <EarlierImports imports={earlier} /> : null}
    </Stack>
  )
}
