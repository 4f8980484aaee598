/** The people of the emulated account: whoever a service names as a user, a contact or an author is one of them. */

interface Person {
  readonly login: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
}

const person = (login: string, firstName: string, lastName: string): Person => ({
  login,
  firstName,
  lastName,
  email: `${login}@shop.example`,
});

/** The user who created the initial objects. */
export const owner = person("mheld", "Maria", "Held");
/** All who work with the account, the owner first. */
export const people: readonly Person[] = [
  owner,
  person("jbrandt", "Jonas", "Brandt"),
  person("rchen", "Rosa", "Chen"),
  person("tokafor", "Tunde", "Okafor"),
];
