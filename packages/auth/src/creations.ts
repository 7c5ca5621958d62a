import { stringField } from '@reeve/http'

/** The field that says how many API keys or webhooks of an account a list leaves out. */
export const moreCreations = stringField(
  'How many more there are. They are not listed, and a request cannot end them together with the access of the account: they go on working',
  '0',
)
