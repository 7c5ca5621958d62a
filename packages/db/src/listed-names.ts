import type { Expression, ExpressionBuilder, JoinBuilder, SqlBool } from 'kysely'
import type { Tables } from './tables/index.ts'

/** The names of accounts as a workspace shows them: not those that were blanked in its history. */

/** What the tables are called in a statement that joins them several times. */
interface JoinedNames {
  readonly account: string
  readonly formerMember: string
}

const onlyNames: JoinedNames = { account: 'account', formerMember: 'former_member' }

/** Joins what is stored of an account that was a member of the workspace. @param table the table with the workspace */
export const onFormerMember =
  (table: string, { account, formerMember } = onlyNames) =>
  <All, Joined extends keyof All>(join: JoinBuilder<All, Joined>): JoinBuilder<All, Joined> =>
    join
      .onRef(`${formerMember}.workspace_id` as never, '=', `${table}.workspace_id` as never)
      .onRef(`${formerMember}.account_id` as never, '=', `${account}.id` as never)

/**
 * The name of an account; null if it was blanked, or if there is no account.
 * @param eb of a statement with a left join on `onFormerMember`
 */
export function selectListedName(eb: object, { account, formerMember } = onlyNames) {
  const names = eb as ExpressionBuilder<Tables, 'account' | 'former_member'>
  return names
    .case()
    .when(`${formerMember}.blank_sequence` as 'former_member.blank_sequence', 'is', null)
    .then(names.ref(`${account}.username` as 'account.username'))
    .end()
}

/** The condition of an account whose name was not blanked. @param eb of a statement on `account` */
export function isNameListed(eb: object, workspaceId: string): Expression<SqlBool> {
  const names = eb as ExpressionBuilder<Tables, 'account'>
  return names.not(
    names.exists(
      names
        .selectFrom('former_member')
        .select('account_id')
        .where('workspace_id', '=', workspaceId)
        .whereRef('account_id', '=', 'account.id')
        .where('blank_sequence', 'is not', null),
    ),
  )
}
