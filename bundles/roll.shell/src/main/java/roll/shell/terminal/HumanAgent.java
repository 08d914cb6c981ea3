package roll.shell.terminal;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.felix.service.command.CommandSession;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Component;
import roll.api.option.Options;
import roll.api.option.UserException;
import roll.api.rollout.Agent;
import roll.api.rollout.AgentTurn;
import roll.api.rollout.Player;
import roll.api.rollout.RollAgent;

/** A person at the terminal of the command {@code rollout}; plays one episode after the other. */
@Component(
    name = "roll.shell.human",
    service = {Agent.class, HumanAgent.class})
@RollAgent("human")
public final class HumanAgent implements Agent {
  private static final String HINT = "hint helps, quit or Ctrl-D ends and saves";

  private final AtomicReference<@Nullable Terminal> current = new AtomicReference<>();

  /** A person's place at a terminal while a rollout is played. */
  public final class Terminal implements AutoCloseable {
    private final CommandSession session;
    private final Runnable leave;

    private Terminal(CommandSession session, Runnable leave) {
      this.session = session;
      this.leave = leave;
    }

    @Override
    public void close() {
      current.compareAndSet(this, null);
    }
  }

  /**
   * Says at which session the person is; the first one stays until it is closed.
   *
   * @param leave is called when the person wants no more
   */
  public Terminal attach(CommandSession session, Runnable leave) {
    Terminal terminal = new Terminal(session, leave);
    current.compareAndSet(null, terminal);
    return terminal;
  }

  @Override
  public String description() {
    return "Asks the person at the terminal.";
  }

  @Override
  public boolean interactive() {
    return true;
  }

  @Override
  public Player configure(Options options) {
    Terminal terminal = current.get();
    if (terminal == null) {
      throw new UserException(
          "the agent human plays where a person is at the terminal: with roll:rollout");
    }
    return new Person(terminal.session, terminal.leave);
  }

  /** The person at play. */
  private static final class Person implements Player {
    private final CommandSession session;
    private final Runnable leave;
    private @Nullable TerminalLines lines;
    private @Nullable ActionPrompt asking;

    Person(CommandSession session, Runnable leave) {
      this.session = session;
      this.leave = leave;
    }

    @Override
    public int maxEpisodes() {
      return 1;
    }

    @Override
    public synchronized String respond(AgentTurn turn) throws InterruptedException {
      PrintStream out = session.getConsole();
      try {
        ActionPrompt asks = asking();
        out.println(turn.messages().getLast().content().stripTrailing());
        Optional<String> response = asks.response(turn.view());
        if (response.isPresent()) {
          return response.get();
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (InterruptedException e) { // Ctrl-C at the prompt
        out.println();
      }
      leave.run();
      new CountDownLatch(1).await(); // until the rollout is ended
      throw new InterruptedException();
    }

    private ActionPrompt asking() throws IOException {
      if (asking == null) {
        lines = TerminalLines.of(session, HINT);
        asking = new ActionPrompt(lines, session.getConsole());
      }
      return asking;
    }

    @Override
    public synchronized void close() {
      try {
        if (lines != null) {
          lines.close();
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
