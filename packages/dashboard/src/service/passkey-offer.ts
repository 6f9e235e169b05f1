/** Whether the agent has just typed a password: only then a passkey is offered, which spares the next one. */
let isDue = false;

export const passwordTyped = (): void => {
  isDue = true;
};

export const isPasskeyOfferDue = (): boolean => isDue;
