/** The baseline of a cold start: a bare process that answers one line. */
process.stdin.once("data", () => {
  process.stdout.write('{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}\n');
});
