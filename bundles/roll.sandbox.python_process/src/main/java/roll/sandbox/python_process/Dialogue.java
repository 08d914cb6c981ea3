package roll.sandbox.python_process;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.HexFormat;
import roll.api.sandbox.Execution;
import roll.api.sandbox.Execution.Outcome;

/**
 * What is said with the process of a session. A program shares that process with what answers for
 * it, so an answer is believed only as far as it can harm nobody: it repeats what was drawn for
 * this one program, and has an honest one's size.
 */
final class Dialogue implements AutoCloseable {
  /** Stops the process from without, or lets it go on. */
  interface Halt {
    /** Does so, if the process is still there. */
    void set(boolean stopped) throws IOException;
  }

  private static final int NONCE = 16;
  private static final int LINE = 200;
  private static final int ERROR = 8192;
  private final SecureRandom random = new SecureRandom();
  private final SocketChannel channel;
  private final InputStream answers;
  private final Halt halt;
  private boolean halted;

  /** By way of {@code channel}, which is closed with this. */
  Dialogue(SocketChannel channel, Halt halt) {
    this.channel = channel;
    this.halt = halt;
    answers = new BufferedInputStream(Channels.newInputStream(channel));
  }

  /**
   * How {@code program} ends; waits for it. From then on the process stands still until it is asked
   * again, also where the program has said of itself that it ended and goes on.
   *
   * @param printed takes what it prints, as it comes
   * @param characters that it may print
   * @throws IOException if the process ends before, or does not answer as it should
   */
  Execution ask(String program, Printed printed, int characters) throws IOException {
    byte[] drawn = new byte[NONCE];
    random.nextBytes(drawn);
    String nonce = HexFormat.of().formatHex(drawn);
    byte[] source = program.getBytes(StandardCharsets.UTF_8);
    if (halted) { // a first program that stops itself is not let go on
      halt.set(false);
    }
    String header = nonce + " " + source.length + " " + characters + "\n";
    write(header.getBytes(StandardCharsets.US_ASCII));
    write(source);
    long left = 4L * (characters + 1);
    while (true) {
      String[] answer = line().split(" ", -1);
      if (answer.length == 2 && answer[0].equals("O")) {
        int length = length(answer[1], left);
        printed.add(read(length));
        left -= length;
      } else if (answer.length == 4 && answer[0].equals("E") && answer[1].equals(nonce)) {
        String error = new String(read(length(answer[3], ERROR)), StandardCharsets.UTF_8);
        halt.set(true);
        halted = true;
        return new Execution(outcome(answer[2]), printed.text(), error);
      } else {
        throw new EOFException("no answer");
      }
    }
  }

  private void write(byte[] bytes) throws IOException {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    while (buffer.hasRemaining()) {
      channel.write(buffer);
    }
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = answers.read(); c != '\n'; c = answers.read()) {
      if (c < 0 || line.length() > LINE) {
        throw new EOFException("no answer");
      }
      line.append((char) c);
    }
    return line.toString();
  }

  private byte[] read(int length) throws IOException {
    byte[] bytes = answers.readNBytes(length);
    if (bytes.length < length) {
      throw new EOFException("no answer");
    }
    return bytes;
  }

  private static int length(String digits, long most) throws IOException {
    if (!digits.matches("[0-9]{1,9}") || Integer.parseInt(digits) > most) {
      throw new EOFException("no answer");
    }
    return Integer.parseInt(digits);
  }

  private static Outcome outcome(String name) throws IOException {
    return switch (name) {
      case "DONE" -> Outcome.DONE;
      case "FAILED" -> Outcome.FAILED;
      case "MEMORY" -> Outcome.MEMORY;
      default -> throw new EOFException("no answer");
    };
  }

  /** Ends the process, whatever it is about. */
  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      // it has gone
    }
  }
}
