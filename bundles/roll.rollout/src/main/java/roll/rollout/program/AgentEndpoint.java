package roll.rollout.program;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import roll.api.option.UserException;
import roll.http.HttpLimits;
import roll.http.HttpListener;
import roll.http.HttpListenerConfig;
import roll.openai.dialect.Dialects;

/** The endpoint for agent programs: a port on loopback, with an API key per episode. */
final class AgentEndpoint implements AutoCloseable {
  /**
   * Number of keys of ended episodes to remember, so that they are distinguished from unknown keys.
   */
  private static final int REMEMBERED = 10_000;

  private static final int CONNECTIONS = 1 << 14;

  private final Map<String, AgentSession> open = new ConcurrentHashMap<>();
  private final Map<String, Boolean> over =
      Collections.synchronizedMap(
          new LinkedHashMap<>() {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
              return size() > REMEMBERED;
            }
          });
  private final HttpListener listener;

  /**
   * Starts listening for the requests of agent programs in {@code dialects}.
   *
   * @throws UserException if it cannot listen
   */
  AgentEndpoint(Dialects dialects) {
    HttpLimits standard = HttpLimits.standard();
    HttpLimits limits =
        new HttpLimits(
            CONNECTIONS, CONNECTIONS, Duration.ofMinutes(1), standard.body(), standard.bodies());
    try {
      InetAddress loopback = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
      HttpListenerConfig place = new HttpListenerConfig(loopback, 0, List.of(), null, limits);
      listener = HttpListener.start(place, new EndpointRoutes(open, over, dialects));
    } catch (IOException e) {
      throw new UserException("agent_runner: cannot listen on loopback: " + e.getMessage(), e);
    }
  }

  /** Returns the base URL for clients. */
  String url() {
    InetSocketAddress address = listener.address();
    return "http://127.0.0.1:" + address.getPort() + "/v1";
  }

  /** Returns a new key for {@code session}, valid until {@link #end}. */
  String open(AgentSession session) {
    String key = "roll-" + UUID.randomUUID();
    open.put(key, session);
    return key;
  }

  /** Ends the session of {@code key}; later requests with it are refused. */
  void end(String key) {
    over.put(key, true);
    AgentSession session = open.remove(key);
    if (session != null) {
      session.close();
    }
  }

  @Override
  public void close() {
    listener.close();
  }
}
