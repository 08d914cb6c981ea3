package roll.sandbox.python;

import java.io.InputStream;
import java.util.Objects;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Engine;
import org.graalvm.polyglot.EnvironmentAccess;
import org.graalvm.polyglot.HostAccess;
import org.graalvm.polyglot.PolyglotAccess;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.io.IOAccess;
import org.jspecify.annotations.Nullable;
import roll.api.sandbox.Execution;
import roll.api.sandbox.Execution.Outcome;

/**
 * A Python interpreter that can only compute: it has no access to host classes, network or
 * environment variables, reads only its standard library, and starts no threads or processes. It
 * runs one program at a time; only {@link #kill} may be called meanwhile.
 */
final class Interpreter {
  private static final int ERROR_LENGTH = 1000;
  private final BoundedOutput output = new BoundedOutput();
  private final Context context;
  private @Nullable Value run;

  /** Creates an unprepared interpreter of {@code engine}, which takes no time. */
  Interpreter(Engine engine) {
    context =
        Context.newBuilder("python")
            .engine(engine)
            .allowAllAccess(false)
            .allowHostAccess(HostAccess.NONE)
            .allowHostClassLookup(name -> false)
            .allowPolyglotAccess(PolyglotAccess.NONE)
            .allowIO(IOAccess.NONE)
            .allowEnvironmentAccess(EnvironmentAccess.NONE)
            .allowCreateThread(false)
            .allowCreateProcess(false)
            .allowNativeAccess(false)
            .option("python.PosixModuleBackend", "java")
            .in(InputStream.nullInputStream())
            .out(output)
            .err(output)
            .build();
  }

  /** Evaluates {@code prelude}, whose value runs programs; takes some tenths of a second. */
  void prepare(Source prelude) {
    output.begin(ERROR_LENGTH);
    run = context.eval(prelude);
  }

  /** Runs {@code program} to its end and keeps at most {@code characters} of its output. */
  Execution run(String program, int characters) {
    output.begin(characters);
    try {
      Objects.requireNonNull(run, "prepared").executeVoid(program);
      return new Execution(Outcome.DONE, output.text(), "");
    } catch (PolyglotException e) {
      String error = e.isCancelled() ? "" : error(e);
      boolean memory = e.isResourceExhausted() || error.startsWith("MemoryError");
      return new Execution(memory ? Outcome.MEMORY : Outcome.FAILED, output.text(), error);
    } catch (OutOfMemoryError e) {
      return new Execution(Outcome.MEMORY, output.text(), "MemoryError");
    } catch (StackOverflowError e) {
      return new Execution(
          Outcome.FAILED, output.text(), "RecursionError: maximum recursion depth exceeded");
    }
  }

  /** Returns the output that the program has printed so far. */
  String printed() {
    return output.text();
  }

  /** Stops the program, waits for its end and frees the interpreter. */
  void kill() {
    context.close(true);
  }

  /** Returns the last line of a traceback with spaces for line breaks. */
  private static String error(PolyglotException e) {
    String message = String.valueOf(e.getMessage());
    String cut =
        message.length() > ERROR_LENGTH ? message.substring(0, ERROR_LENGTH) + "…" : message;
    String line = cut.strip().replaceAll("\\R", " ");
    return e.isInternalError() ? "PermissionError: not permitted in the sandbox: " + line : line;
  }
}
