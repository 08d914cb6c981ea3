package roll.workspace.local;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The connection to the process of a workspace. A message is a line of a word and the lengths of
 * its fields, followed by the fields.
 */
final class WorkspaceChannel implements AutoCloseable {
  private static final int LINE = 1 << 24;
  private final SocketChannel channel;
  private final InputStream answers;

  /** Creates the connection over {@code channel}, which is closed with it. */
  WorkspaceChannel(SocketChannel channel) {
    this.channel = channel;
    answers = new BufferedInputStream(Channels.newInputStream(channel));
  }

  /** The process could not do what was requested. */
  static final class RefusedException extends IOException {
    private static final long serialVersionUID = 1;

    RefusedException(String message) {
      super(message);
    }
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static byte[] bytes(long number) {
    return bytes(String.valueOf(number));
  }

  static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /** Sends a request and returns the fields of its answer. */
  List<byte[]> ask(String verb, byte[]... fields) throws IOException {
    send(verb, fields);
    return answer();
  }

  /** Sends a request. */
  synchronized void send(String verb, byte[]... fields) throws IOException {
    StringBuilder head = new StringBuilder(verb);
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    for (byte[] field : fields) {
      head.append(' ').append(field.length);
      body.writeBytes(field);
    }
    write(bytes(head.append('\n').toString()));
    write(body.toByteArray());
  }

  private void write(byte[] bytes) throws IOException {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    try {
      while (buffer.hasRemaining()) {
        channel.write(buffer);
      }
    } catch (ClosedByInterruptException e) {
      throw e;
    } catch (IOException e) {
      throw new IOException("the workspace has ended", e);
    }
  }

  /**
   * Waits for the answer to the first request without one.
   *
   * @throws RefusedException if the process could not do it
   */
  List<byte[]> answer() throws IOException {
    String[] head = line().split(" ", -1);
    List<byte[]> fields = new ArrayList<>();
    for (int i = 1; i < head.length; i++) {
      int length = Integer.parseInt(head[i]);
      byte[] field = answers.readNBytes(length);
      if (field.length < length) {
        throw new EOFException("the workspace has ended");
      }
      fields.add(field);
    }
    if (!head[0].equals("ok")) {
      throw new RefusedException(text(fields.getFirst()));
    }
    return fields;
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = answers.read(); c != '\n'; c = answers.read()) {
      if (c < 0 || line.length() > LINE) {
        throw new EOFException("the workspace has ended");
      }
      line.append((char) c);
    }
    return line.toString();
  }

  /** Ends the process with its commands. */
  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      // the process has ended
    }
  }
}
