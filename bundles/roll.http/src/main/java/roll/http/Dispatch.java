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

/** Gives each request a thread of its own and hands it to the service. */
final class Dispatch extends Handler.Abstract.NonBlocking {
  private static final Logger LOG = LoggerFactory.getLogger("roll.http");

  private final HttpService service;
  private final HttpLimits limits;
  private final Hosts hosts;
  private final Connections connections;
  private final Semaphore room;
  private final ExecutorService threads;

  Dispatch(
      HttpService service,
      HttpPlace place,
      Connections connections,
      Semaphore room,
      ExecutorService threads) {
    this.service = service;
    this.limits = place.limits();
    this.hosts = new Hosts(place);
    this.connections = connections;
    this.room = room;
    this.threads = threads;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    Connection connection = request.getConnectionMetaData().getConnection();
    connections.work(connection);
    // silence is no failure while the server works; what waits for the client has its own limit
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
   * Without the connection: Jetty would answer that the server failed. It does not log the kind
   * that it has for clients that leave; what is the server's own failure has been logged.
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

  /** Says so; null, or why that cannot be said. */
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
