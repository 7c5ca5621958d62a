import type { ReactNode } from 'react'
import { useHasPermission } from '../../api/me.ts'
import { ReadGate, useEndpointState } from '../../components/endpoint-state.tsx'
import { Forbidden } from '../../components/forbidden.tsx'
import { Screen } from '../../components/screen.tsx'

/** Shows a screen to users with `moderation.view` while moderation is on, and otherwise why they cannot see it. */
export function RequireModerationView({
  title,
  children,
}: {
  readonly title: string
  readonly children: ReactNode
}) {
  const canView = useHasPermission('moderation.view')
  const { mode } = useEndpointState('moderation')
  if (canView && mode !== 'off') return children
  return (
    <Screen title={title}>
      {canView ? (
        <ReadGate endpoint="moderation">{null}</ReadGate>
      ) : (
        <Forbidden permission="moderation.view" />
      )}
    </Screen>
  )
}
