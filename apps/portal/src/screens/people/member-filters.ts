import { anyText, type Filters, oneOf } from '../../app/filter-parsers.ts'

/** The filters of the members in the URL. */
export const memberFilterParsers = { q: anyText, role: anyText, factor: oneOf('missing') }

/** The filters as query parameters of the API. */
export const membersQuery = (
  workspaceId: string,
  { q, role, factor }: Filters<typeof memberFilterParsers>,
) => ({
  workspaceId,
  ...(q !== undefined && { q }),
  ...(role !== undefined && { roleId: role }),
  ...(factor !== undefined && { secondFactor: factor }),
})
