/** A transaction of the store of state, which only the store itself can look into. */

/** Steps that take it happen together or not at all; a store without transactions passes none on. */
export abstract class Transaction {
  readonly isTransaction = true;
}
