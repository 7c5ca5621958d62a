import type { UseFormReturnType } from '@mantine/form'
import { CREATE_PERMISSIONS, compareMeasures, isSanctionKind, type Measure } from '@reeve/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useWorkspace } from '../../../api/me.ts'
import { type Preview, previewQuery, type Template, templatesQuery, toMeasure } from '../templates/queries.ts'
import type { ActionFields } from './action-fields.ts'
import { PERMANENT } from './duration.ts'

/** The chosen template, and what it leads to. */
export interface ChosenTemplate {
  readonly templates: readonly Template[]
  readonly chosen: Template | null
  /** Null while it is loading. */
  readonly preview: Preview | null
  /** Why there is no preview; null if there is one. */
  readonly error: Error | null
  /** What the ladder decides; null without one. */
  readonly decided: Measure | null
  readonly choose: (templateId: string) => void
}

/** The templates of the form. What the ladder decides is entered into it, once for each decision. */
export function useTemplate(userId: string, form: UseFormReturnType<ActionFields>): ChosenTemplate {
  const { id: workspaceId, permissions } = useWorkspace()
  const { templateId } = form.values
  const { data: templates = [] } = useQuery(templatesQuery(workspaceId))
  const chosen = templates.find(({ id }) => id === templateId) ?? null
  const { data, error } = useQuery({
    ...previewQuery(workspaceId, userId, templateId),
    enabled: chosen !== null,
  })
  const preview = chosen === null ? null : (data ?? null)
  const decided = preview && toMeasure(preview)
  const entered = useRef('')
  const { setFieldValue } = form
  const key =
    preview && decided ? [templateId, preview.step, decided.action, decided.durationSeconds].join() : ''
  useEffect(() => {
    if (key === entered.current) return
    entered.current = key
    if (decided === null || !permissions.has(CREATE_PERMISSIONS[decided.action])) return
    setFieldValue('action', decided.action)
    if (isSanctionKind(decided.action))
      setFieldValue('durationSeconds', String(decided.durationSeconds ?? PERMANENT))
    // Again only when the decision is another one: the moderator may choose less afterwards.
  }, [key, decided, permissions, setFieldValue])
  return {
    templates,
    chosen,
    preview,
    error: chosen === null || data ? null : error,
    decided,
    choose: (next) => {
      setFieldValue('templateId', next)
      form.clearErrors()
    },
  }
}

/** How the entered action compares to what the ladder decides. @param measure null while it is incomplete */
export function compareToLadder(decided: Measure | null, measure: Measure | null): 'less' | 'same' | 'more' {
  if (decided === null || measure === null) return 'same'
  const difference = compareMeasures(measure, decided)
  return difference === 0 ? 'same' : difference < 0 ? 'less' : 'more'
}
