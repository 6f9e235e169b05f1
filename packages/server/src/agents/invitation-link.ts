/** Makes the link of an invitation's token: the dashboard's page for joining. */
export function invitationLink(publicUrl: string): (token: string) => string {
  return (token) => `${publicUrl}/app/join/${token}`;
}
