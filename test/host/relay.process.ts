import { SMTPServer } from "smtp-server";

// A mail relay that takes everything, in a process of its own: it runs on the network of the host that a test looks at.
new SMTPServer({
  authOptional: true,
  disabledCommands: ["STARTTLS", "AUTH"],
  disableReverseLookup: true,
  onData(stream, _session, done) {
    stream.on("data", () => {});
    stream.on("end", done);
  },
}).listen(25, "0.0.0.0");
