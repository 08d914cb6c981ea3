package roll.main;

import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import roll.api.option.UserException;
import roll.api.rank.RanksLostException;
import roll.runtime.pipeline.RunFailure;

/**
 * The failure of a command: one line for the user and an exit status.
 *
 * @param status exit status
 * @param line line to print
 * @param trace error whose stack trace is logged, if any
 */
record CommandFailure(int status, String line, Optional<Throwable> trace) {
  /** Beginning of Gogo's message for arguments that match no method of a command. */
  private static final String WRONG_ARGUMENTS = "Cannot coerce ";

  /** Returns the failure for {@code error} or its causes. */
  static CommandFailure of(Throwable error) {
    for (Throwable e = error; e != null; e = e.getCause()) {
      if (e instanceof UserException) {
        return new CommandFailure(
            ExitStatus.USER, String.valueOf(e.getMessage()), Optional.empty());
      }
      if (e instanceof RunFailure || e instanceof RanksLostException) {
        return new CommandFailure(
            ExitStatus.FAILED, String.valueOf(e.getMessage()), Optional.empty());
      }
    }
    Optional<String> shortage = ResourceShortage.of(error);
    if (shortage.isPresent()) {
      return new CommandFailure(ExitStatus.USER, shortage.get(), Optional.empty());
    }
    String message = String.valueOf(error.getMessage());
    if (error instanceof IllegalArgumentException && message.startsWith(WRONG_ARGUMENTS)) {
      String name = message.substring(WRONG_ARGUMENTS.length()).replaceAll("\\(.*", "");
      String line = "invalid arguments for '" + name + "'; see `roll help " + name + "`";
      return new CommandFailure(ExitStatus.USER, line, Optional.empty());
    }
    return new CommandFailure(ExitStatus.FAILED, line(error), Optional.of(error));
  }

  /** Returns the message of {@code error} in one line. */
  private static String line(Throwable error) {
    return new UserException(error.toString()).getMessage();
  }

  /** Prints the line, writes the stack trace to a file, and returns the exit status. */
  int report(PrintStream err) {
    String log = trace.map(e -> "; stack trace in " + write(e, err)).orElse("");
    err.println("roll: " + line + log);
    return status;
  }

  private static Path write(Throwable error, PrintStream err) {
    String folder = System.getProperty("roll.log.dir");
    Path file = Path.of(folder == null ? "error.log" : folder + "/error.log");
    try {
      if (folder == null) { // a predictable name in a shared folder would be unsafe
        file = Files.createTempFile("roll-error-", ".log");
      } else {
        Files.createDirectories(Path.of(folder));
      }
      Files.deleteIfExists(file);
      try (PrintWriter out =
          new PrintWriter(Files.newBufferedWriter(file, StandardOpenOption.CREATE_NEW))) {
        error.printStackTrace(out);
      }
    } catch (IOException e) {
      err.println("roll: the stack trace cannot be written: " + e);
    }
    return file;
  }
}
