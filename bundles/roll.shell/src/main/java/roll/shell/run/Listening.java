package roll.shell.run;

import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.Bundle;
import org.osgi.framework.FrameworkUtil;
import roll.api.device.DeviceInspector;
import roll.api.option.UserException;
import roll.runtime.config.LoadedConfig;
import roll.runtime.nodes.FirstNode;
import roll.runtime.nodes.ListenRequest;
import roll.runtime.nodes.Nodes;
import roll.runtime.pipeline.Trainer;
import roll.shell.command.Arguments;
import roll.shell.command.Syntax;
import roll.shell.command.Syntax.Option;
import roll.shell.syntax.RequiredService;

/** A run that other machines can join, or one that they cannot. */
final class Listening implements AutoCloseable {
  private static final String LISTEN = "--listen";

  /** Does without TLS. */
  static final String PLAIN = "--plain";

  private static final String TOKEN = "ROLL_TOKEN";
  private static final String FEWER = "--fewer-after";
  private static final String NEVER = "never";
  private static final long MOST_SECONDS = 1_000_000;

  /** The options of a command that starts one. */
  static final List<Option> OPTIONS =
      List.of(
          Option.optional(
              LISTEN,
              "host[:port]",
              "other machines can join at this address of this one (port 7800, and the next for"
                  + " nodes among themselves); prints what to type there, and waits until num_nodes"
                  + " are there; $"
                  + TOKEN
                  + " has a token that `token` made beforehand"),
          Option.flag(PLAIN, "with --listen: no TLS; whoever is on the network reads everything"),
          Option.one(
              FEWER,
              "seconds|never",
              "60",
              "with --listen: when lost ranks have not come back for so long, training goes on from"
                  + " its last checkpoint with those that are left, if they divide its batches"));

  private final @Nullable FirstNode first;

  private Listening(@Nullable FirstNode first) {
    this.first = first;
  }

  /** A property of the framework that this class is in; null outside of one. */
  private static @Nullable String property(String key) {
    Bundle bundle = FrameworkUtil.getBundle(Listening.class);
    return bundle == null ? null : bundle.getBundleContext().getProperty(key);
  }

  /**
   * Listens if that is asked for and the run could start, prints the line and waits for the nodes.
   *
   * @throws InterruptedException if the thread was interrupted; nothing listens then
   */
  static Listening start(
      @Nullable Nodes nodes,
      Trainer trainer,
      Syntax syntax,
      Arguments given,
      LoadedConfig config,
      @Nullable DeviceInspector devices,
      PrintStream out)
      throws InterruptedException {
    String at = given.optional(LISTEN);
    var unused = patience(syntax, given);
    if (at == null) {
      if (given.flag(PLAIN)) {
        throw syntax.wrong(PLAIN + " is for " + LISTEN);
      }
      return new Listening(null);
    }
    Nodes service = RequiredService.of(nodes, syntax.name() + " " + LISTEN, "roll.cluster.nodes");
    trainer.requireStart(config); // not when all nodes are there
    if (!given.flag(PLAIN)) {
      ClearTextCheck.require(config.run(), at, devices, property(ClearTextCheck.PROPERTY));
    }
    ListenRequest order =
        new ListenRequest(
            config.run().expName(),
            config.run().outputDir(),
            at,
            given.flag(PLAIN),
            System.getenv(TOKEN));
    FirstNode first = service.listen(order, out::println);
    try {
      out.println("to join from another machine: " + first.joinLine());
      first.await(config.run().devices().nodes());
      return new Listening(first);
    } catch (InterruptedException | RuntimeException e) {
      first.close();
      throw e;
    }
  }

  /**
   * How long lost ranks are waited for before training goes on with fewer; null for ever.
   *
   * @throws UserException if {@code given} says something else
   */
  static @Nullable Duration patience(Syntax syntax, Arguments given) {
    String text = given.text(FEWER);
    if (text.equals(NEVER)) {
      return null;
    }
    try {
      return Duration.ofSeconds(given.integer(FEWER, 0, MOST_SECONDS));
    } catch (UserException e) {
      throw syntax.wrong(
          "%s: expected seconds from 0 to %d, or %s, found '%s'"
              .formatted(FEWER, MOST_SECONDS, NEVER, text));
    }
  }

  /** Whether other machines can join. */
  boolean open() {
    return first != null;
  }

  /**
   * Waits until as many nodes are there as {@code config} says.
   *
   * @throws InterruptedException if the thread was interrupted
   */
  void await(LoadedConfig config) throws InterruptedException {
    if (first != null) {
      first.await(config.run().devices().nodes());
    }
  }

  /**
   * The same, but no longer than {@code limit}.
   *
   * @return how many nodes are there
   * @throws InterruptedException if the thread was interrupted
   */
  int await(LoadedConfig config, Duration limit) throws InterruptedException {
    return first == null ? 1 : first.await(config.run().devices().nodes(), limit);
  }

  @Override
  public void close() {
    if (first != null) {
      first.close();
    }
  }
}
