import type { ReactNode } from 'react'
import { useHasPermission } from '../../api/me.ts'
import { Forbidden } from '../../components/forbidden.tsx'
import { Screen } from '../../components/screen.tsx'

/** A screen for those who may see what is moderated; to others it says who can change that. */
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
