import { wire } from '@reeve/core'
import type { SavedViewTable } from '@reeve/db'
import { inputField, requestObject, responseObject, stringField } from '@reeve/http'
import { type Static, Type } from '@sinclair/typebox'

const lists = ['bans', 'mutes', 'history', 'records'] as const satisfies readonly SavedViewTable['list'][]

const name = wire.name({ min: 1, max: 60, example: 'Bans of this week' })
const filters = wire.text({ max: 2000, example: 'severity=high&text=exploit' })

const changedFields = {
  name: inputField(name, 'Its name'),
  filters: inputField(filters, 'The filters of the list, as the query string of the portal'),
  shared: inputField(wire.boolean, 'Whether everyone who can view records sees it; `false` by default'),
}

export const SavedViewsQuery = requestObject({ workspaceId: inputField(wire.id, 'The workspace') })

export const NewSavedViewRequest = requestObject({
  workspaceId: inputField(wire.id, 'The workspace; in query or body'),
  list: inputField(wire.oneOf(lists), 'The list that it filters'),
  ...changedFields,
})

export const SavedViewPatch = requestObject({
  workspaceId: inputField(wire.id, 'The workspace; in query or body'),
  id: inputField(wire.id, 'The saved view'),
  ...changedFields,
})

export const SavedViewQuery = requestObject({
  workspaceId: inputField(wire.id, 'The workspace'),
  id: inputField(wire.id, 'The saved view'),
})

export type NewSavedViewInput = Static<typeof NewSavedViewRequest>
export type SavedViewPatchInput = Static<typeof SavedViewPatch>

const SavedView = responseObject(
  {
    id: stringField('Id of the saved view'),
    list: Type.String({ enum: [...lists], description: 'The list that it filters' }),
    name: stringField('Its name', name.example),
    filters: stringField('The filters, as the query string of the portal', filters.example),
    shared: stringField('`true` if everyone who can view records sees it', 'false'),
    canChange: stringField('`true` if the reader may change and delete it', 'true'),
    createdBy: stringField('The account that created it'),
    version: stringField('Grows with every change; for If-Match', '1'),
  },
  'A saved view',
)

export const SavedViewResponse = responseObject({ savedView: SavedView }, 'The saved view')
export const SavedViewsResponse = responseObject(
  { savedViews: Type.Array(SavedView) },
  'The reader’s own views and the shared ones, by name',
)

/** Describes a saved view in the audit log: without what depends on the reader. */
export const toAuditSnapshot = (row: SavedViewTable) => ({
  id: row.id,
  list: row.list,
  name: row.name,
  filters: row.filters,
  shared: String(row.is_shared === 1),
  createdBy: row.account_id,
  version: String(row.version),
})

/**
 * Converts a row to its API form.
 * @param canChange whether the reader may change and delete it
 */
export const presentSavedView = (row: SavedViewTable, canChange: boolean): Static<typeof SavedView> => ({
  ...toAuditSnapshot(row),
  canChange: String(canChange),
})
