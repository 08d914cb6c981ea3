package roll.http;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.KeyStore;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/**
 * Listens for HTTP/1.1, with TLS where there is a certificate: Jetty within {@link HttpLimits}, for
 * requests that call this machine by its name. A few threads serve all connections; each request
 * has a virtual one.
 */
public final class HttpListener implements AutoCloseable {
  private static final int HEAD = 16 << 10;
  private static final int BACKLOG = 1024;
  private static final int THREADS = 8;
  private static final long LOOK = 250;

  private final Server server;
  private final ServerConnector connector;
  private final InetSocketAddress address;
  private final Connections connections;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  private HttpListener(HttpPlace place, HttpService service) throws IOException {
    connections = new Connections(place.limits());
    QueuedThreadPool pool = new QueuedThreadPool(THREADS, 2);
    pool.setName("roll.http");
    pool.setDaemon(true);
    pool.setReservedThreads(0);
    server = new Server(pool);
    connector = new ServerConnector(server, null, null, null, 1, 1, protocols(place));
    connector.setHost(place.address().getHostAddress());
    connector.setPort(place.port());
    connector.setAcceptQueueSize(BACKLOG);
    connector.setIdleTimeout(place.limits().patience().toMillis());
    connector.addBean(connections);
    server.addConnector(connector);
    BodyBudget budget = new BodyBudget(place.limits().bodies());
    server.setHandler(new Dispatch(service, place, connections, budget, threads));
    server.setErrorHandler(new Refusals(service));
    try {
      connector.open();
    } catch (IOException e) {
      throw because(e);
    }
    address = new InetSocketAddress(place.address(), connector.getLocalPort());
  }

  private static ConnectionFactory[] protocols(HttpPlace place) {
    HttpConfiguration configuration = new HttpConfiguration();
    configuration.setRequestHeaderSize(HEAD);
    configuration.setSendServerVersion(false);
    HttpConnectionFactory http = new HttpConnectionFactory(configuration);
    if (place.certificate() == null) {
      return new ConnectionFactory[] {http};
    }
    KeyStore store = Pem.read(place.certificate());
    SslContextFactory.Server tls = new SslContextFactory.Server();
    tls.setKeyStore(store);
    tls.setKeyStorePassword("");
    tls.setIncludeProtocols("TLSv1.3", "TLSv1.2");
    tls.setRenegotiationAllowed(false);
    return new ConnectionFactory[] {new SslConnectionFactory(tls, http.getProtocol()), http};
  }

  /**
   * Listens until it is closed.
   *
   * @throws IOException if the place cannot be listened at; the message says why
   * @throws roll.api.option.UserException if the certificate is none
   */
  public static HttpListener start(HttpPlace place, HttpService service) throws IOException {
    HttpListener listener = new HttpListener(place, service);
    try {
      listener.server.start();
      listener.threads.execute(listener::look);
      return listener;
    } catch (Exception e) {
      listener.close();
      throw because(e);
    }
  }

  private static IOException because(Exception e) {
    return new IOException(Objects.requireNonNullElse(e.getCause(), e).getMessage(), e);
  }

  private void look() {
    try {
      while (true) {
        Thread.sleep(LOOK);
        connections.closeOverdue();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Where it listens, or listened until it was closed. */
  public InetSocketAddress address() {
    return address;
  }

  /** How many connections are open. */
  public int connections() {
    return connections.count();
  }

  /** Gives up what is being answered and returns when nothing is answered any more. */
  @Override
  public void close() {
    connector.close();
    threads.shutdownNow();
    try {
      var unused = threads.awaitTermination(1, TimeUnit.MINUTES);
      server.stop();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
