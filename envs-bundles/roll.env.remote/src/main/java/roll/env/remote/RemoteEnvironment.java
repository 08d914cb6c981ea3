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

/** Worlds that programs of other languages, or servers, play. */
@Component(name = "roll.env.remote")
@RollEnv("remote")
public final class RemoteEnvironment implements Environment {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final PeerPools peers = new PeerPools(PATIENCE);
  private final PeerConnections dialogues = new PeerConnections();
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

  /** Starts a program, or reaches the server, and asks what is played. */
  @Override
  public Scenario configure(Options options) {
    if (options.has(RemoteOptions.OPENENV)) {
      return OpenEnvServer.of(options, dialogues, sessions);
    }
    return options.has(RemoteOptions.MCP)
        ? McpServer.of(options, dialogues)
        : PeerScenarios.of(options, peers);
  }

  /** Ends all programs. */
  @Deactivate
  void deactivate() {
    peers.close();
    dialogues.close();
  }
}
