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

/** A request and its answer. Used by one thread. */
public final class Exchange {
  private static final int PIECE = 16 << 10;

  /** What is read of a body that nobody wants, so that its client gets to the answer. */
  private static final int MOST_DRAINED = 64 << 20;

  /** How long a body waits for room, in nanoseconds. */
  private static final long ROOM = 2_000_000_000;

  private final Request request;
  private final Response response;
  private final HttpLimits limits;
  private final Connections connections;
  private final Semaphore room;
  private boolean whole;

  Exchange(
      Request request,
      Response response,
      HttpLimits limits,
      Connections connections,
      Semaphore room) {
    this.request = request;
    this.response = response;
    this.limits = limits;
    this.connections = connections;
    this.room = room;
  }

  /** The method, as the client wrote it. */
  public String method() {
    return request.getMethod();
  }

  /** The path, decoded; empty where there is none. */
  public String path() {
    return Objects.requireNonNullElse(request.getHttpURI().getDecodedPath(), "");
  }

  /** What follows the question mark, as it was sent; null where there is none. */
  public @Nullable String query() {
    return request.getHttpURI().getQuery();
  }

  /** The first header of this name; null where there is none. */
  public @Nullable String header(String name) {
    return request.getHeaders().get(name);
  }

  /** The client: its address, or something that stands for it. */
  public Object client() {
    return Connections.client(connection());
  }

  /** The certificate that the client has shown and the listener trusts; null where it has none. */
  public @Nullable X509Certificate peer() {
    EndPoint.SslSessionData session = connection().getEndPoint().getSslSessionData();
    X509Certificate[] chain = session == null ? null : session.peerCertificates();
    return chain == null || chain.length == 0 ? null : chain[0];
  }

  /**
   * The body, once it is there whole. To be called at most once.
   *
   * @throws HttpRefusal 413 if it is too long, 429 if too many are being held
   * @throws IOException if it does not come
   */
  public Body body() throws IOException {
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
      Body body = new Body(bytes.toByteArray(), taken, room);
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

  /** Whose body does not come makes room, since others would wait for it. */
  private void take(int bytes) throws IOException {
    if (room.tryAcquire(bytes)) {
      return;
    }
    connections.work(connection()); // it is not the client that is waited for
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

  /** Answers with {@code body}. */
  public void send(int status, String type, byte[] body) throws IOException {
    response
        .getHeaders()
        .put(new HttpField(HttpHeader.CONTENT_LENGTH, String.valueOf(body.length)));
    try (OutputStream out = begin(status, type)) {
      out.write(body);
    }
    drain();
  }

  /** Begins an answer. What is written goes out at once; closing ends it. */
  public OutputStream begin(int status, String type) {
    response.setStatus(status);
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, type);
    return Content.Sink.asOutputStream(response);
  }

  /** From now on only the client is waited for: what is still written it must take in time. */
  public void deliver() {
    connections.waitFor(connection());
  }

  /** Reads what the client continues to send: a connection closed before costs it the answer. */
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
      // the answer is out; Jetty closes the connection
    }
  }
}
