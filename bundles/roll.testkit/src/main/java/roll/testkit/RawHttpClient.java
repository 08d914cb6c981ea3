package roll.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;

/** A client that writes raw bytes, valid HTTP or not, and waits up to 30 s for each answer. */
public final class RawHttpClient implements AutoCloseable {
  private final Socket socket;

  /** Connects to {@code port} of this machine. */
  public RawHttpClient(int port) throws IOException {
    this(new Socket(InetAddress.getLoopbackAddress(), port));
  }

  /** Uses {@code socket}, and closes it. */
  public RawHttpClient(Socket socket) throws IOException {
    this.socket = socket;
    socket.setSoTimeout(30_000);
  }

  /** Returns a well-formed request to {@code path} with a JSON body. */
  public static String request(String path, String body) {
    return head(path, body.getBytes(StandardCharsets.UTF_8).length) + body;
  }

  /** Returns the head of a request to {@code path} with a body of {@code length} bytes. */
  public static String head(String path, long length) {
    return "POST "
        + path
        + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: "
        + length
        + "\r\n\r\n";
  }

  /** Sends a request without a body. */
  public RawHttpClient get(String path) throws IOException {
    return write("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
  }

  /** Sends the head of a request with a body of {@code length} bytes. */
  public RawHttpClient post(String path, long length) throws IOException {
    return write(head(path, length));
  }

  /** Sends {@code text} in UTF-8. */
  public RawHttpClient write(String text) throws IOException {
    return write(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Sends {@code bytes}. */
  public RawHttpClient write(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
    return this;
  }

  /** Ends the output. */
  public RawHttpClient end() throws IOException {
    socket.shutdownOutput();
    return this;
  }

  /** Returns the status of the next answer; −1 if the server closes the connection instead. */
  public int status() throws IOException {
    String line = line();
    return line.startsWith("HTTP/1.") ? Integer.parseInt(line.substring(9, 12)) : -1;
  }

  /** Returns the next line, without its end. */
  public String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int one = read(); one >= 0 && one != '\n'; one = read()) {
      line.append((char) one);
    }
    return line.toString().stripTrailing();
  }

  /** Returns the next byte; −1 if the server has closed the connection. */
  public int read() throws IOException {
    return socket.getInputStream().read();
  }

  /**
   * Returns everything that the server sends until it closes the connection; an empty text if it
   * breaks the connection.
   */
  public String rest() throws IOException {
    try {
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    } catch (SocketException e) {
      return "";
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
