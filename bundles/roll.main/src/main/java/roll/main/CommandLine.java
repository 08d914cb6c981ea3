package roll.main;

import java.io.InputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import org.apache.felix.service.command.CommandProcessor;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Converter;
import org.apache.felix.service.command.Function;
import org.jspecify.annotations.Nullable;
import roll.text.Suggestion;

/** Runs one command and returns its exit status. */
final class CommandLine {
  private static final String SCOPE = "roll";

  /** Session variable of a process that runs a single command. */
  private static final String ONCE = "roll.once";

  private static final List<String> SIGNALS = List.of("INT", "TERM", "HUP");

  /** Seconds that a command has to react to an interrupt: the duration of a native call. */
  private static final int GRACE = 10;

  private final CommandProcessor processor;
  private final InputStream in;
  private final PrintStream out;
  private final PrintStream err;

  CommandLine(CommandProcessor processor, InputStream in, PrintStream out, PrintStream err) {
    this.processor = processor;
    this.in = in;
    this.out = out;
    this.err = err;
  }

  /**
   * Runs a command on this thread; the first signal interrupts it.
   *
   * @param words the command, with or without scope, and its arguments
   */
  int run(List<String> words) {
    try (CommandSession session = processor.createSession(in, out, err)) {
      session.put("SCOPE", SCOPE + ":*");
      session.put(ONCE, true);
      String name = command(words.getFirst());
      // without a scope only our commands, not for example Gogo's `eval`
      String qualified = name.contains(":") ? name : SCOPE + ":" + name;
      if (!(session.get(qualified) instanceof Function command)) {
        return unknown(name, session);
      }
      return run(command, words.subList(1, words.size()), session);
    }
  }

  /**
   * Calls the function directly, not as a Gogo program: the command runs on this thread, so that
   * interrupts reach it, and arguments need no quoting.
   */
  private int run(Function command, List<String> arguments, CommandSession session) {
    boolean supervised = SupervisedProcess.isSupervised();
    List<String> signals = supervised ? SupervisedProcess.SIGNALS : SIGNALS;
    SignalWatch interrupts = SignalWatch.ending(signals, Thread.currentThread(), err, GRACE);
    try (interrupts) {
      if (supervised) {
        SupervisedProcess.watch(in, interrupts);
      }
      Object result = command.execute(session, new ArrayList<>(arguments));
      if (result != null) {
        out.println(session.format(result, Converter.INSPECT));
      }
      return status(session.get("exit"), interrupts);
    } catch (Throwable e) { // out of memory is reported in one line too
      return interrupts.happened() ? ExitStatus.INTERRUPTED : CommandFailure.of(e).report(err);
    }
  }

  /** Returns the exit status; a command sets the variable {@code exit} for other than 0. */
  private static int status(@Nullable Object exit, SignalWatch interrupts) {
    if (exit instanceof Number number) {
      return number.intValue();
    }
    return interrupts.happened() ? ExitStatus.INTERRUPTED : ExitStatus.OK;
  }

  private int unknown(String name, CommandSession session) {
    Collection<String> known = commands(session);
    String near = Suggestion.near(name, known);
    String hint = near.isEmpty() ? "; known: " + String.join(", ", known) : near;
    err.println("roll: unknown command '" + name + "'" + hint);
    return ExitStatus.UNKNOWN_COMMAND;
  }

  private static Collection<String> commands(CommandSession session) {
    Collection<String> names = new TreeSet<>();
    if (session.get(".commands") instanceof Collection<?> commands) {
      for (Object command : commands) {
        String name = String.valueOf(command);
        if (name.startsWith(SCOPE + ":")) {
          names.add(name.substring(SCOPE.length() + 1));
        }
      }
    }
    return names;
  }

  /** Returns the command for the first word; some options are names of commands. */
  private static String command(String word) {
    return switch (word) {
      case "-h", "--help" -> "help";
      case "--version" -> "version";
      default -> word;
    };
  }
}
