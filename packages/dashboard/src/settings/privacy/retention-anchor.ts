/** Where the own settings of a widget or a channel are on the page of privacy. */
export const retentionAnchor = (id: string): string => `retention-${id}`;
