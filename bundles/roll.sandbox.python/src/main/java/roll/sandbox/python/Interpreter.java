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
 * One Python interpreter that may do nothing but compute: it sees no class of the host, no file but
 * those of its standard library, no network, no variable of the environment, and starts neither
 * threads nor processes. Of one program at a time; only {@link #kill} may come meanwhile.
 */
final class Interpreter {
  private static final int ERROR_LENGTH = 1000;
  private final BoundedOutput output = new BoundedOutput();
  private final Context context;
  private @Nullable Value run;

  /** One of {@code engine} that is still to be prepared; takes no time. */
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

  /** Does {@code prelude}, whose value runs programs; takes some tenths of a second. */
  void prepare(Source prelude) {
    output.begin(ERROR_LENGTH);
    run = context.eval(prelude);
  }

  /** Runs {@code program} to its end; keeps so many characters of what it prints. */
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
      return new Execution(Outcome.FAILED, output.text(), "RecursionError: the stack is full");
    }
  }

  /** What was printed so far. */
  String printed() {
    return output.text();
  }

  /** Stops what runs here, and frees it; returns when that has ended. */
  void kill() {
    context.close(true);
  }

  /** The last line of a traceback, with line ends within it as spaces. */
  private static String error(PolyglotException e) {
    String message = String.valueOf(e.getMessage());
    String cut =
        message.length() > ERROR_LENGTH ? message.substring(0, ERROR_LENGTH) + "…" : message;
    String line = cut.strip().replaceAll("\\R", " ");
    return e.isInternalError() ? "PermissionError: not permitted in the sandbox: " + line : line;
  }
}
