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

/** Input lines: edited on a terminal, or piped from another program. */
public interface TerminalLines extends AutoCloseable {
  /** Returns the next line, or null at the end. */
  @Nullable String next() throws IOException, InterruptedException;

  /** Makes Tab complete a line to one of {@code words}; no effect without a terminal. */
  default void complete(Supplier<List<String>> words) {}

  @Override
  void close() throws IOException;

  /**
   * Returns the lines of {@code session}'s terminal, or of its input if it has none.
   *
   * @param hint printed above the first line on a terminal
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

  /** Opens a terminal; JLine finds its providers with the context class loader. */
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

  /** Lines edited on a terminal. */
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

  /** Parses a line as one word. */
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

  /** Lines of another program; closing leaves the stream open. */
  record Piped(BufferedReader reader) implements TerminalLines {
    @Override
    public @Nullable String next() throws IOException {
      return reader.readLine();
    }

    @Override
    public void close() {}
  }
}
