package roll.http;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs each request on a virtual thread and passes it to the service. */
final class VirtualThreadHandler extends Handler.Abstract.NonBlocking {
  private static final Logger LOG = LoggerFactory.getLogger("roll.http");

  private final HttpService service;
  private final HttpLimits limits;
  private final AllowedHosts hosts;
  private final ConnectionTracker connections;
  private final Semaphore room;
  private final ExecutorService threads;

  VirtualThreadHandler(
      HttpService service,
      HttpListenerConfig place,
      ConnectionTracker connections,
      Semaphore room,
      ExecutorService threads) {
    this.service = service;
    this.limits = place.limits();
    this.hosts = new AllowedHosts(place);
    this.connections = connections;
    this.room = room;
    this.threads = threads;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    Connection connection = request.getConnectionMetaData().getConnection();
    connections.work(connection);
    // no idle timeout while the server works; waits for the client have their own
    request.addIdleTimeoutListener(_ -> false);
    try {
      threads.execute(() -> answer(request, response, callback));
    } catch (RejectedExecutionException e) {
      fail(connection, callback, e); // the listener is being closed
    }
    return true;
  }

  private void answer(Request request, Response response, Callback callback) {
    Exchange exchange = new Exchange(request, response, limits, connections, room);
    @Nullable Throwable failure = null;
    try {
      answer(exchange);
    } catch (IOException | InterruptedException e) {
      failure = e;
    } catch (RuntimeException | Error e) {
      if (threads.isShutdown()) {
        failure = e; // interrupted, as the listener is being closed
      } else {
        LOG.error("a request failed", e);
        failure = response.isCommitted() ? e : refused(exchange, 500, "The server failed.");
      }
    }
    Connection connection = request.getConnectionMetaData().getConnection();
    if (failure == null) {
      connections.waitFor(connection);
      callback.succeeded();
    } else {
      fail(connection, callback, failure);
    }
  }

  /**
   * Closes the connection and reports {@code failure}. Jetty would otherwise answer with its own
   * error page; it does not log an {@link EofException}, and failures of the server are logged
   * already.
   */
  private void fail(Connection connection, Callback callback, Throwable failure) {
    connections.close(connection);
    callback.failed(new EofException(failure));
  }

  private void answer(Exchange exchange) throws IOException, InterruptedException {
    String problem =
        hosts.problem(
            exchange.header(HttpHeader.HOST.asString()),
            exchange.header(HttpHeader.ORIGIN.asString()));
    try {
      if (problem != null) {
        throw new HttpRefusal(403, problem);
      }
      service.answer(exchange);
    } catch (HttpRefusal refusal) {
      IOException failure = refused(exchange, refusal.status(), refusal.getMessage());
      if (failure != null) {
        throw failure;
      }
    }
  }

  /** Sends a refusal; returns null, or the failure to send it. */
  private @Nullable IOException refused(Exchange exchange, int status, String message) {
    try {
      byte[] body = service.refusal(status, message).getBytes(StandardCharsets.UTF_8);
      exchange.send(status, "application/json", body);
      return null;
    } catch (IOException e) {
      return e;
    }
  }
}
