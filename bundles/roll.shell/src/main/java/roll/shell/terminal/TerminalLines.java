package roll.shell.terminal;

import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.felix.service.command.CommandSession;
import org.jline.reader.Candidate;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.UserInterruptException;
import org.jline.reader.impl.DefaultParser;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.jspecify.annotations.Nullable;

/**
 * Lines that a person types, edited where there is a terminal, or that another program pipes in.
 */
public interface TerminalLines extends AutoCloseable {
  /** The next line, null at the end. */
  @Nullable String next() throws IOException, InterruptedException;

  /** On a terminal, Tab completes a line to one of {@code words}, which are asked for each time. */
  default void complete(Supplier<List<String>> words) {}

  @Override
  void close() throws IOException;

  /**
   * The lines of {@code session}'s terminal or, where it has none, of its input.
   *
   * @param hint is shown above the first line on a terminal
   */
  static TerminalLines of(CommandSession session, String hint) throws IOException {
    if (session.get(".terminal") instanceof Terminal shell) {
      return new Edited(shell, hint, false);
    }
    // null without a terminal, whatever Error Prone believes
    if (Optional.ofNullable(System.console()).filter(Console::isTerminal).isPresent()) {
      return new Edited(terminal(), hint, true);
    }
    return new Piped(
        new BufferedReader(new InputStreamReader(session.getKeyboard(), StandardCharsets.UTF_8)));
  }

  /** JLine looks for its terminals with the context class loader. */
  private static Terminal terminal() throws IOException {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    try {
      thread.setContextClassLoader(Terminal.class.getClassLoader());
      return TerminalBuilder.builder().system(true).build();
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  /** Lines of a terminal. */
  final class Edited implements TerminalLines {
    private final Terminal terminal;
    private final boolean owned;
    private final LineReader reader;
    private Supplier<List<String>> words = List::of;

    Edited(Terminal terminal, String hint, boolean owned) {
      this.terminal = terminal;
      this.owned = owned;
      this.reader =
          LineReaderBuilder.builder()
              .terminal(terminal)
              .parser(new WholeLine())
              .completer(
                  (editor, line, candidates) ->
                      words.get().forEach(word -> candidates.add(new Candidate(word))))
              .build();
      reader.option(LineReader.Option.DISABLE_EVENT_EXPANSION, true);
      terminal.writer().println(hint);
      terminal.flush();
    }

    @Override
    public void complete(Supplier<List<String>> those) {
      words = those;
    }

    @Override
    public @Nullable String next() throws InterruptedException {
      try {
        return reader.readLine("> ");
      } catch (EndOfFileException e) {
        return null;
      } catch (UserInterruptException e) {
        throw new InterruptedException();
      }
    }

    @Override
    public void close() throws IOException {
      if (owned) {
        terminal.close();
      }
    }
  }

  /** A line is one word, whatever is in it. */
  final class WholeLine extends DefaultParser {
    WholeLine() {
      setQuoteChars(new char[0]);
      setEscapeChars(new char[0]);
    }

    @Override
    public boolean isDelimiterChar(CharSequence buffer, int position) {
      return false;
    }
  }

  /** Lines of another program; closing leaves its stream to the session. */
  record Piped(BufferedReader reader) implements TerminalLines {
    @Override
    public @Nullable String next() throws IOException {
      return reader.readLine();
    }

    @Override
    public void close() {}
  }
}
