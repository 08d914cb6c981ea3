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

  private HttpListener(HttpPlace place, @Nullable SSLContext context, HttpService service)
      throws IOException {
    connections = new Connections(place.limits());
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
    Semaphore room = new Semaphore(place.limits().bodies()); // bytes of bodies
    server.setHandler(new Dispatch(service, place, connections, room, threads));
    server.setErrorHandler(new Refusals(service));
    try {
      connector.open();
    } catch (IOException e) {
      throw because(e);
    }
    address = new InetSocketAddress(place.address(), connector.getLocalPort());
  }

  private static ConnectionFactory[] protocols(HttpPlace place, @Nullable SSLContext context) {
    HttpConfiguration configuration = new HttpConfiguration();
    configuration.setRequestHeaderSize(HEAD);
    configuration.setSendServerVersion(false);
    HttpConnectionFactory http = new HttpConnectionFactory(configuration);
    SslContextFactory.Server tls = new SslContextFactory.Server();
    if (context != null) {
      tls.setSslContext(context);
      tls.setIncludeProtocols("TLSv1.3");
      tls.setWantClientAuth(true);
      configuration.addCustomizer(new SecureRequestCustomizer(false)); // who it is, not where
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
   * Listens until it is closed.
   *
   * @throws IOException if the place cannot be listened at; the message says why
   * @throws roll.api.option.UserException if the certificate is none
   */
  public static HttpListener start(HttpPlace place, HttpService service) throws IOException {
    return start(new HttpListener(place, null, service));
  }

  /**
   * Listens with TLS 1.3 until it is closed, as {@code context} says, whatever the certificate of
   * the place. Clients may present a certificate that the context trusts ({@link Exchange#peer});
   * with another one they do not get as far as a request.
   *
   * @throws IOException if the place cannot be listened at; the message says why
   */
  public static HttpListener start(HttpPlace place, SSLContext context, HttpService service)
      throws IOException {
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
