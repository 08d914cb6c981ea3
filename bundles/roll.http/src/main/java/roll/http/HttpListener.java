package roll.http;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP/1.1 server, with TLS if there is a certificate: embedded Jetty within {@link HttpLimits},
 * for requests that name this machine. A few threads serve all connections; each request runs on a
 * virtual thread.
 */
public final class HttpListener implements AutoCloseable {
  private static final int HEAD = 16 << 10;
  private static final int BACKLOG = 1024;
  private static final int THREADS = 8;
  private static final long LOOK = 250;

  private final Server server;
  private final ServerConnector connector;
  private final InetSocketAddress address;
  private final ConnectionTracker connections;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  private HttpListener(HttpListenerConfig place, @Nullable SSLContext context, HttpService service)
      throws IOException {
    connections = new ConnectionTracker(place.limits());
    QueuedThreadPool pool = new QueuedThreadPool(THREADS, 2);
    pool.setName("roll.http");
    pool.setDaemon(true);
    pool.setReservedThreads(0);
    server = new Server(pool);
    connector = new ServerConnector(server, null, null, null, 1, 1, protocols(place, context));
    connector.setHost(place.address().getHostAddress());
    connector.setPort(place.port());
    connector.setAcceptQueueSize(BACKLOG);
    connector.setIdleTimeout(place.limits().patience().toMillis());
    connector.addBean(connections);
    server.addConnector(connector);
    Semaphore room = new Semaphore(place.limits().bodies()); // bytes of all bodies
    server.setHandler(new VirtualThreadHandler(service, place, connections, room, threads));
    server.setErrorHandler(new JettyErrorHandler(service));
    try {
      connector.open();
    } catch (IOException e) {
      throw because(e);
    }
    address = new InetSocketAddress(place.address(), connector.getLocalPort());
  }

  private static ConnectionFactory[] protocols(
      HttpListenerConfig place, @Nullable SSLContext context) {
    HttpConfiguration configuration = new HttpConfiguration();
    configuration.setRequestHeaderSize(HEAD);
    configuration.setSendServerVersion(false);
    HttpConnectionFactory http = new HttpConnectionFactory(configuration);
    SslContextFactory.Server tls = new SslContextFactory.Server();
    if (context != null) {
      tls.setSslContext(context);
      tls.setIncludeProtocols("TLSv1.3");
      tls.setWantClientAuth(true);
      configuration.addCustomizer(
          new SecureRequestCustomizer(false)); // certificates identify nodes, not host names
    } else if (place.certificate() != null) {
      tls.setKeyStore(Pem.read(place.certificate()));
      tls.setKeyStorePassword("");
      tls.setIncludeProtocols("TLSv1.3", "TLSv1.2");
    } else {
      return new ConnectionFactory[] {http};
    }
    tls.setRenegotiationAllowed(false);
    return new ConnectionFactory[] {new SslConnectionFactory(tls, http.getProtocol()), http};
  }

  /**
   * Starts an HTTP listener.
   *
   * @throws IOException if the address cannot be bound; the message says why
   * @throws roll.api.option.UserException if the certificate is invalid
   */
  public static HttpListener start(HttpListenerConfig place, HttpService service)
      throws IOException {
    return start(new HttpListener(place, null, service));
  }

  /**
   * Starts a listener with TLS 1.3 of {@code context} instead of a certificate file. Clients may
   * present a certificate that the context trusts ({@link Exchange#peer}); any other certificate
   * fails the handshake.
   *
   * @throws IOException if the address cannot be bound; the message says why
   */
  public static HttpListener start(
      HttpListenerConfig place, SSLContext context, HttpService service) throws IOException {
    return start(new HttpListener(place, context, service));
  }

  private static HttpListener start(HttpListener listener) throws IOException {
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

  /** Returns the bound address, also after closing. */
  public InetSocketAddress address() {
    return address;
  }

  /** Returns the number of open connections. */
  public int connections() {
    return connections.count();
  }

  /** Interrupts running requests and waits until they have ended. */
  @Override
  public void close() {
    // Without it, an acceptor that meets the closed channel may loop until the stop, and fail there
    var unusedShutdown = connector.shutdown();
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
