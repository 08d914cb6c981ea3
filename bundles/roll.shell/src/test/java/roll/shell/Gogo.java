package roll.shell;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.felix.gogo.runtime.CommandProcessorImpl;
import org.apache.felix.gogo.runtime.threadio.ThreadIOImpl;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Converter;
import org.jspecify.annotations.Nullable;
import roll.shell.command.Command;

/** A session of the real Gogo, without a framework around it. */
public final class Gogo implements AutoCloseable {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final CommandProcessorImpl processor = new CommandProcessorImpl(new ThreadIOImpl());
  private final CommandSession session;

  /** A session that knows one command and has no input. */
  public Gogo(Object command, String function) {
    this(command, function, "");
  }

  /** A session that knows one command and has {@code input}. */
  public Gogo(Object command, String function, String input) {
    processor.addCommand("roll", command, function);
    PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    InputStream in = new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8));
    session = processor.createSession(in, out, out);
    session.put("SCOPE", "roll:*");
  }

  public CommandSession session() {
    return session;
  }

  /** Runs one line as the shell does and gives all it printed, its result included. */
  public String run(String line) throws Exception {
    Object result = session.execute(line);
    String shown = result == null ? "" : session.format(result, Converter.INSPECT).toString();
    return printed() + shown;
  }

  /** Calls {@code command} with these words, without parsing them as a line. */
  public @Nullable String call(Command command, String... words) {
    try {
      return (String) command.execute(session, List.of((Object[]) words));
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns the output so far. */
  public String printed() {
    return bytes.toString(StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    session.close();
    processor.stop();
  }
}
