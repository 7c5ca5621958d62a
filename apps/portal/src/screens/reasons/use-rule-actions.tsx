import { useQueryClient } from '@tanstack/react-query'
import { api, ifMatch, unwrap } from '../../api/client.ts'
import { ApiError, isVersionMismatch } from '../../api/error.ts'
import { useWorkspace } from '../../api/me.ts'
import { openConfirmDialog } from '../../components/confirm-dialog.tsx'
import { notifySuccess } from '../../components/toast.tsx'
import { moderationKey } from '../moderation/queries.ts'

export type RuleKind = 'template' | 'ladder'

/** A template or ladder, as far as archiving needs it. */
export interface RuleSummary {
  readonly id: string
  readonly name: string
  readonly version: string
}

type Fields = Readonly<Record<string, string | null>>

const CHANGED =
  'Someone else has changed it in the meantime, so it was not archived. Close this dialog, look at the change, and try again.'

const archiveTexts: Readonly<Record<RuleKind, string>> = {
  template:
    'Staff can no longer choose it. Its cases keep it, and still count. You can restore it under Archived.',
  ladder: 'Templates can no longer use it. Its cases keep their steps. You can restore it under Archived.',
}

/** Saves, archives and restores templates and ladders. */
export function useRuleActions() {
  const client = useQueryClient()
  const { id: workspaceId } = useWorkspace()

  async function send(kind: RuleKind, fields: Fields, version?: string): Promise<void> {
    const body = { workspaceId, ...fields }
    const headers = version === undefined ? {} : ifMatch(version)
    try {
      await (kind === 'template'
        ? unwrap(api.POST('/api/moderation/templates', { body, headers }))
        : unwrap(api.POST('/api/moderation/ladders', { body, headers })))
    } finally {
      await client.invalidateQueries({ queryKey: moderationKey(workspaceId) })
    }
  }

  const restore = async (kind: RuleKind, { id, name }: RuleSummary): Promise<void> => {
    await send(kind, { action: 'restore', id })
    notifySuccess(`Restored the ${kind} “${name}”.`)
  }

  return {
    /** Creates a rule, or changes one. @param before the version that the user has seen; null for a new one */
    save: (kind: RuleKind, before: Pick<RuleSummary, 'id' | 'version'> | null, fields: Fields) =>
      send(kind, before ? { action: 'update', id: before.id, ...fields } : fields, before?.version),
    restore,
    /** Archives a rule after confirmation. */
    archive(kind: RuleKind, rule: RuleSummary): void {
      const { id, name, version } = rule
      openConfirmDialog({
        title: `Archive the ${kind} “${name}”?`,
        children: archiveTexts[kind],
        confirmLabel: `Archive ${kind}`,
        run: async () => {
          await send(kind, { action: 'archive', id }, version).catch((error) => {
            throw isVersionMismatch(error) ? new ApiError(error.status, error.code, CHANGED) : error
          })
          notifySuccess(`Archived the ${kind} “${name}”.`, {
            label: 'Restore',
            run: () => restore(kind, rule),
          })
        },
      })
    },
  }
}
