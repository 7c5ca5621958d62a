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

/** The fields of the form, as they are stored. The questions are one per line. */
export const toValues = (settings: AppealSettings) => ({
  enabled: settings.enabled,
  afterDays: settings.afterDays,
  windowDays: settings.windowDays ?? '',
  cooldownDays: settings.cooldownDays,
  allowOwnDecision: settings.allowOwnDecision,
  allowFiles: settings.allowFiles,
  introduction: settings.introduction ?? '',
  questions: settings.questions
    .map(({ text, required }) => (required === 'true' ? text : `${text} (optional)`))
    .join('\n'),
})

export type SettingsValues = ReturnType<typeof toValues>

/** Saves the settings. It fails if they have changed since they were read. @returns the new ones */
export async function saveAppealSettings(
  workspaceId: string,
  { version }: AppealSettings,
  values: SettingsValues,
): Promise<AppealSettings> {
  const body = {
    workspaceId,
    ...values,
    windowDays: values.windowDays.trim() === '' ? null : values.windowDays,
  }
  const { settings } = await unwrap(
    api.PATCH('/portal/api/appeals/settings', { body, headers: ifMatch(version) }),
  )
  queryClient.setQueryData(appealSettingsQuery(workspaceId).queryKey, settings)
  return settings
}
