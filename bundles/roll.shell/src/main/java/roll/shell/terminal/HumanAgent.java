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
import roll.api.rollout.EpisodeView;
import roll.api.rollout.Player;
import roll.api.rollout.RollAgent;

/** The agent {@code human}: a person at the terminal of {@code rollout}, one episode at a time. */
@Component(
    name = "roll.shell.human",
    service = {Agent.class, HumanAgent.class})
@RollAgent("human")
public final class HumanAgent implements Agent {
  private static final String HINT =
      "'hint' shows the expert's action; 'quit' or Ctrl-D ends and saves";

  private final AtomicReference<@Nullable Terminal> current = new AtomicReference<>();

  /** The terminal of a person during a rollout. */
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
   * Attaches the terminal of {@code session}; the first one stays attached until it is closed.
   *
   * @param leave called when the person quits
   */
  public Terminal attach(CommandSession session, Runnable leave) {
    Terminal terminal = new Terminal(session, leave);
    current.compareAndSet(null, terminal);
    return terminal;
  }

  @Override
  public String description() {
    return "Prompts the person at the terminal.";
  }

  @Override
  public boolean interactive() {
    return true;
  }

  @Override
  public Player configure(Options options) {
    Terminal terminal = current.get();
    if (terminal == null) {
      throw new UserException("the agent human needs a terminal: use it with the command rollout");
    }
    return new Person(terminal.session, terminal.leave);
  }

  /** The person who plays at the terminal. */
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
        EpisodeView view = turn.view();
        Optional<String> response = asks.response(view.actions(), view::respond, view::expert);
        if (response.isPresent()) {
          return response.get();
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (InterruptedException e) { // Ctrl-C at the prompt
        out.println();
      }
      leave.run();
      new CountDownLatch(1).await(); // until the rollout has stopped
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
