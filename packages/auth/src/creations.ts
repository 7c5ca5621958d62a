import { stringField } from '@reeve/http'

/**
 * The API keys, and the webhooks, of a person that are listed, and that one request can end. The deletion of an account names both in its
 * URL, of which nginx accepts 8 KiB by default. Source: https://nginx.org/en/docs/http/ngx_http_core_module.html#large_client_header_buffers
 */
export const MAX_CREATIONS = 100

/** The field that says how many API keys or webhooks of an account a list leaves out. */
export const moreCreations = stringField(
  'How many more there are. They are not listed, and a request cannot end them together with the access of the account: they go on working',
  '0',
)
