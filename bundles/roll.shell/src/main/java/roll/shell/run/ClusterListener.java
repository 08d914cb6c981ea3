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
import roll.shell.command.Arguments;
import roll.shell.command.Syntax;
import roll.shell.command.Syntax.Option;
import roll.shell.syntax.RequiredService;

/** The option {@code --listen}: lets other machines join a run. */
final class ClusterListener implements AutoCloseable {
  private static final String LISTEN = "--listen";

  /** Option that disables TLS between nodes. */
  static final String PLAIN = "--plain";

  private static final String TOKEN = "ROLL_TOKEN";
  private static final String FEWER = "--fewer-after";
  private static final String NEVER = "never";
  private static final long MOST_SECONDS = 1_000_000;

  /** The options of a command that starts a run. */
  static final List<Option> OPTIONS =
      List.of(
          Option.optional(
              LISTEN,
              "host[:port]",
              "lets other machines join at this address (port 7800, and the next one for traffic"
                  + " between nodes): prints the command for them and waits for num_nodes nodes; $"
                  + TOKEN
                  + " may have a token created by `token`"),
          Option.flag(PLAIN, "with --listen: no TLS; traffic can be read on the network"),
          Option.one(
              FEWER,
              "seconds|never",
              "60",
              "with --listen: how long to wait for lost ranks before training continues from its"
                  + " last checkpoint on the remaining nodes, if the batches divide"));

  private final @Nullable FirstNode first;

  private ClusterListener(@Nullable FirstNode first) {
    this.first = first;
  }

  /** Returns a framework property; null outside a framework. */
  private static @Nullable String property(String key) {
    Bundle bundle = FrameworkUtil.getBundle(ClusterListener.class);
    return bundle == null ? null : bundle.getBundleContext().getProperty(key);
  }

  /**
   * Listens if {@code given} asks for it, prints the command for other machines and waits for them.
   *
   * @throws InterruptedException if the thread was interrupted; listening has ended then
   */
  static ClusterListener start(
      @Nullable Nodes nodes,
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
        throw syntax.wrong(PLAIN + " needs " + LISTEN);
      }
      return new ClusterListener(null);
    }
    Nodes service = RequiredService.of(nodes, syntax.name() + " " + LISTEN, "roll.cluster.nodes");
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
      return new ClusterListener(first);
    } catch (InterruptedException | RuntimeException e) {
      first.close();
      throw e;
    }
  }

  /**
   * Returns how long to wait for lost ranks before continuing with fewer; null for ever.
   *
   * @throws UserException if the option is invalid
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

  /** Starts listening; returns whether other machines can join. */
  boolean open() {
    return first != null;
  }

  /**
   * Waits until all nodes of {@code config} have joined.
   *
   * @throws InterruptedException if the thread was interrupted
   */
  void await(LoadedConfig config) throws InterruptedException {
    if (first != null) {
      first.await(config.run().devices().nodes());
    }
  }

  /**
   * Waits for the nodes of {@code config}, at most for {@code limit}.
   *
   * @return number of nodes
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
