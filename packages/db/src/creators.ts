import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { Sql } from './statement.ts'
import type { Tables } from './tables/index.ts'

/** Webhooks with the account that created each of them or the API key that did, as a member of the workspace. */
export const joinWebhookCreator = (sql: Sql) =>
  sql
    .selectFrom('webhook')
    .leftJoin('api_key', (join) =>
      join
        .onRef('api_key.workspace_id', '=', 'webhook.workspace_id')
        .onRef('api_key.id', '=', 'webhook.created_by'),
    )
    .leftJoin('account as own', 'own.id', 'webhook.created_by')
    .leftJoin('account as of_key', 'of_key.id', 'api_key.created_by')
    .leftJoin('member', (join) =>
      join
        .onRef('member.workspace_id', '=', 'webhook.workspace_id')
        .on((eb) => eb('member.account_id', '=', eb.fn.coalesce('own.id', 'of_key.id'))),
    )

/** Webhooks with what is known about who created them. */
export const selectWebhookCreator = (sql: Sql) =>
  joinWebhookCreator(sql).select(({ fn }) => [
    fn.coalesce('own.username_key', 'of_key.username_key').as('creator_key'),
    fn.coalesce('own.disabled_at', 'of_key.disabled_at').as('creator_disabled_at'),
    'member.account_id as creator_member_id',
  ])

/**
 * The condition of something whose creator has left the workspace, or is disabled or deleted.
 * @param eb of a statement that joins the creator's membership as `member`
 * @param disabledAt since when the creator's account is disabled
 */
export const isCreatorGone = (eb: object, disabledAt: Expression<number | null>): Expression<SqlBool> => {
  const members = eb as ExpressionBuilder<Tables, 'member'>
  return members.or([members('member.account_id', 'is', null), members(disabledAt, 'is not', null)])
}
