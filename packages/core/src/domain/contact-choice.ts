/** What a visitor message contains about its writer (POST /conversations, "Contact selection"). */
export interface VisitorClaim {
  contactId: string | undefined;
  email: string | undefined;
}

/**
 * The writer of a message; the first match wins.
 *
 * 1. the contact with `contactId`, when it exists on the widget (name, e-mail and phone are then ignored)
 * 2. the most recent contact on the widget with `email`; also when `contactId` was sent but not found
 * 3. none: a new contact with an id of its own
 *
 * @param lookup asks the store, always within the widget and among those who came by a website
 */
export async function chooseContact<Contact>(
  claim: VisitorClaim,
  lookup: {
    byId(id: string): Promise<Contact | undefined>;
    mostRecentByEmail(email: string): Promise<Contact | undefined>;
  },
): Promise<Contact | undefined> {
  const named = claim.contactId === undefined ? undefined : await lookup.byId(claim.contactId);
  if (named) return named;
  return claim.email === undefined ? undefined : lookup.mostRecentByEmail(claim.email);
}
