/** Whether the instance sends e-mails, as the server put it into the page. */
export const sendsMail: boolean = 'sendsMail' in document.documentElement.dataset
