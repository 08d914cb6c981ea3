package roll.serve;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import roll.api.config.UserException;
import roll.api.serving.ServedPlace;
import roll.api.serving.Serving;

/** The JDK's HTTP server, with a virtual thread for each request. */
final class Server implements Serving {
  private static final int BACKLOG = 1024;

  /**
   * Without it a token may wait for the client's acknowledgement of the one before, up to 40 ms.
   */
  private static final String NO_DELAY = "sun.net.httpserver.nodelay";

  private final HttpServer server;
  private final ExecutorService threads;

  private Server(HttpServer server, ExecutorService threads) {
    this.server = server;
    this.threads = threads;
  }

  /**
   * Listens on {@code place}.
   *
   * @throws UserException if that is not possible
   */
  static Server start(Routes routes, ServedPlace place) {
    if (System.getProperty(NO_DELAY) == null) {
      System.setProperty(NO_DELAY, "true");
    }
    try {
      HttpServer server =
          HttpServer.create(new InetSocketAddress(place.host(), place.port()), BACKLOG);
      ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
      server.setExecutor(threads);
      server.createContext("/", routes);
      server.start();
      return new Server(server, threads);
    } catch (IOException e) {
      throw new UserException("port: cannot listen on %s: %s".formatted(place, e.getMessage()), e);
    }
  }

  @Override
  public InetSocketAddress address() {
    return server.getAddress();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
    try {
      var unused = threads.awaitTermination(1, TimeUnit.MINUTES);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
