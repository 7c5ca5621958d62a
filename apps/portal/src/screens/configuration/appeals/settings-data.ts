import { queryOptions } from '@tanstack/react-query'
import { api, ifMatch, type PortalSchemas, unwrap } from '../../../api/client.ts'
import { queryClient } from '../../../api/query-client.ts'

export type AppealSettings = PortalSchemas['AppealSettings']

export const appealSettingsQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: [workspaceId, 'appeals', 'settings'],
    queryFn: async (): Promise<AppealSettings> =>
      (await unwrap(api.GET('/portal/api/appeals/settings', { params: { query: { workspaceId } } })))
        .settings,
  })

/** The fields of the form. */
export interface SettingsValues extends Record<string, unknown> {
  readonly enabled: boolean
  readonly afterDays: string
  readonly windowDays: string
  readonly cooldownDays: string
  readonly allowOwnDecision: boolean
  readonly allowFiles: boolean
  readonly introduction: string
  /** One question per line. */
  readonly questions: string
}

/** Saves the settings. It fails if they have changed since they were read. */
export async function saveAppealSettings(
  workspaceId: string,
  { version }: AppealSettings,
  values: SettingsValues,
): Promise<void> {
  const body = {
    workspaceId,
    ...values,
    enabled: String(values.enabled),
    allowOwnDecision: String(values.allowOwnDecision),
    allowFiles: String(values.allowFiles),
    windowDays: values.windowDays.trim() === '' ? null : values.windowDays,
  }
  const { settings } = await unwrap(
    api.PATCH('/portal/api/appeals/settings', { body, headers: ifMatch(version) }),
  )
  queryClient.setQueryData(appealSettingsQuery(workspaceId).queryKey, settings)
}
