import type { ReactNode } from 'react'
import { useHasPermission } from '../../api/me.ts'
import { Forbidden } from '../../components/forbidden.tsx'
import { Screen } from '../../components/screen.tsx'

/** Shows a screen to users with `moderation.view`, and to others who can give them access. */
export function RequireModerationView({
  title,
  children,
}: {
  readonly title: string
  readonly children: ReactNode
}) {
  if (useHasPermission('moderation.view')) return children
  return (
    <Screen title={title}>
      <Forbidden permission="moderation.view" />
    </Screen>
  )
}
