package roll.env.remote;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import roll.api.env.Environment;
import roll.api.env.RollEnv;
import roll.api.env.Scenario;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.bridge.PeerConnections;
import roll.bridge.PeerPools;

/** Environments of programs in other languages, or of servers. */
@Component(name = "roll.env.remote")
@RollEnv("remote")
public final class RemoteEnvironment implements Environment {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final PeerPools peers = new PeerPools(PATIENCE);
  private final PeerConnections connections = new PeerConnections();
  private final Map<URI, SessionLimit> sessions = new ConcurrentHashMap<>();

  @Override
  public String description() {
    return "An environment of another language, played by a program or a server; the task and the"
        + " reward are its own.";
  }

  @Override
  public List<Option<?>> options() {
    return RemoteOptions.ALL;
  }

  /** Starts the program, or connects to the server, for the description. */
  @Override
  public Scenario configure(Options options) {
    if (options.has(RemoteOptions.OPENENV)) {
      return OpenEnvServer.of(options, connections, sessions);
    }
    return options.has(RemoteOptions.MCP)
        ? McpServer.of(options, connections)
        : PeerScenarios.of(options, peers);
  }

  /** Ends all programs of the remote environment. */
  @Deactivate
  void deactivate() {
    peers.close();
    connections.close();
  }
}
