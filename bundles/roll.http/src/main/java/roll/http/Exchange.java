package roll.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.security.cert.X509Certificate;
import java.util.Objects;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.jspecify.annotations.Nullable;

/** An HTTP request and its answer. Used by one thread. */
public final class Exchange {
  private static final int PIECE = 16 << 10;

  /** Maximum bytes read of an unused body, so that its client receives the answer. */
  private static final int MOST_DRAINED = 64 << 20;

  /** Maximum wait of a body for memory, in nanoseconds. */
  private static final long ROOM = 2_000_000_000;

  private final Request request;
  private final Response response;
  private final HttpLimits limits;
  private final ConnectionTracker connections;
  private final Semaphore room;
  private boolean whole;

  Exchange(
      Request request,
      Response response,
      HttpLimits limits,
      ConnectionTracker connections,
      Semaphore room) {
    this.request = request;
    this.response = response;
    this.limits = limits;
    this.connections = connections;
    this.room = room;
  }

  /** Returns the method, as the client sent it. */
  public String method() {
    return request.getMethod();
  }

  /** Returns the decoded path; empty if there is none. */
  public String path() {
    return Objects.requireNonNullElse(request.getHttpURI().getDecodedPath(), "");
  }

  /** Returns the query after the question mark, not decoded; null if there is none. */
  public @Nullable String query() {
    return request.getHttpURI().getQuery();
  }

  /** Returns the first header {@code name}; null if there is none. */
  public @Nullable String header(String name) {
    return request.getHeaders().get(name);
  }

  /** Returns the client: its address, or an object that identifies it. */
  public Object client() {
    return ConnectionTracker.client(connection());
  }

  /** Returns the trusted certificate that the client presented; null if there is none. */
  public @Nullable X509Certificate peer() {
    EndPoint.SslSessionData session = connection().getEndPoint().getSslSessionData();
    X509Certificate[] chain = session == null ? null : session.peerCertificates();
    return chain == null || chain.length == 0 ? null : chain[0];
  }

  /**
   * Reads the complete body; called at most once.
   *
   * @throws HttpRefusal 413 if it is too long, 429 if there is no memory for it
   * @throws IOException if it does not arrive
   */
  public RequestBody body() throws IOException {
    if (request.getLength() > limits.body()) {
      throw tooLong();
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    int taken = 0;
    connections.waitForBody(connection());
    try {
      InputStream in = Content.Source.asInputStream(request);
      byte[] piece = new byte[PIECE];
      for (int n = in.read(piece); n >= 0; n = in.read(piece)) {
        if (bytes.size() + n > limits.body()) {
          throw tooLong();
        }
        connections.heard(connection());
        take(n);
        taken += n;
        bytes.write(piece, 0, n);
      }
      whole = true;
      connections.work(connection());
      RequestBody body = new RequestBody(bytes.toByteArray(), taken, room);
      taken = 0;
      return body;
    } catch (IOException | RuntimeException e) {
      if (e instanceof HttpException wrong) {
        throw new HttpRefusal(400, String.valueOf(wrong.getReason()));
      }
      throw e;
    } finally {
      room.release(taken);
    }
  }

  /** Reserves memory for {@code bytes} of a body; closes stalled uploads if there is none left. */
  private void take(int bytes) throws IOException {
    if (room.tryAcquire(bytes)) {
      return;
    }
    connections.work(connection()); // the client is not at fault here
    long end = System.nanoTime() + ROOM;
    try {
      do {
        if (!connections.closeSlowBody() && System.nanoTime() > end) {
          throw new HttpRefusal(429, "This server has too much to read; try again later.");
        }
      } while (!room.tryAcquire(bytes, 100, TimeUnit.MILLISECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException();
    }
    connections.waitForBody(connection());
  }

  private HttpRefusal tooLong() {
    return new HttpRefusal(
        413, "The body of a request may have at most " + limits.body() + " bytes.");
  }

  private org.eclipse.jetty.io.Connection connection() {
    return request.getConnectionMetaData().getConnection();
  }

  /** Sets a header of the answer. */
  public void answerHeader(String name, String value) {
    response.getHeaders().put(name, value);
  }

  /** Answers the HTTP request with {@code body}. */
  public void send(int status, String type, byte[] body) throws IOException {
    response
        .getHeaders()
        .put(new HttpField(HttpHeader.CONTENT_LENGTH, String.valueOf(body.length)));
    try (OutputStream out = begin(status, type)) {
      out.write(body);
    }
    drain();
  }

  /**
   * Begins the answer to the HTTP request; returns the stream of its body. Each write is sent at
   * once; closing ends the answer.
   */
  public OutputStream begin(int status, String type) {
    response.setStatus(status);
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, type);
    return Content.Sink.asOutputStream(response);
  }

  /** Starts the timeout for the client to receive the rest of the answer. */
  public void deliver() {
    connections.waitFor(connection());
  }

  /**
   * Reads what the client still sends, since closing a connection earlier would lose the answer.
   */
  private void drain() {
    if (whole || request.getHeaders().contains(HttpHeader.EXPECT)) {
      return;
    }
    connections.waitFor(connection());
    byte[] piece = new byte[PIECE];
    int left = MOST_DRAINED;
    try {
      InputStream in = Content.Source.asInputStream(request);
      for (int n = in.read(piece); n >= 0 && left > 0; n = in.read(piece)) {
        left -= n;
      }
    } catch (IOException | RuntimeException e) {
      // the answer is sent; Jetty closes the connection
    }
  }
}
